// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_heat Aos
#define OP2_STRIDE_heat 1
#define OP2_HAS_heat 1
#define OP2_LAYOUT_t Aos
#define OP2_STRIDE_t 1
#define OP2_LAYOUT_gain Aos
#define OP2_STRIDE_gain 1
#define OP2_MISS_gain 0
#define OP2_HAS_gain 1
#define OP2_ROWS_ends 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void source(const double* heat, double& t, const Arr<double*, 2>* gain) {
    if (heat != nullptr) {
        const double& heat_2 = *heat;
        t += heat_2;
    }
    if (gain != nullptr) {
        const Arr<double*, 2> gain_2 = *gain;
        *gain_2[0] += 0.5;
        *gain_2[1] += 0.5;
    }
}

}  // namespace user

namespace user {

struct heat_view : op2::View<double, op2::OP2_LAYOUT_heat> {
    static __device__ op2::usize stride() { return OP2_STRIDE_heat; }
};
struct t_view : op2::View<double, op2::OP2_LAYOUT_t> {
    static __device__ op2::usize stride() { return OP2_STRIDE_t; }
};
struct gain_view : op2::View<double, op2::OP2_LAYOUT_gain> {
    static __device__ op2::usize stride() { return OP2_STRIDE_gain; }
    static __device__ bool misses() { return OP2_MISS_gain; }
};

}  // namespace user

namespace user {

__device__ __forceinline__ void source_stage1(const double* heat, double& t,
        const Arr<double*, 2>* gain) {
    if (heat != nullptr) {
        const double& heat_2 = *heat;
        t += heat_2;
    }
    if (gain != nullptr) {
        const Arr<double*, 2> gain_2 = *gain;
        *gain_2[0] += 0.5;
        *gain_2[1] += 0.5;
    }
}

}  // namespace user

namespace user {
namespace rooms {

using Of0 = Arr<double, 2>;
constexpr op2::usize at0 = 0;

}
}  // namespace user

// `source` over `edges`:
//   heat_arg: opt(heated, read(heat))
//   t_arg: rw(t)
//   gain_arg: opt(step % 2 == 0, inc(gain, ends[..]))

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
source_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ heat, double* t, double* gain,
        const op2::u32* __restrict__ ends) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> ends_all{};
    if (OP2_HAS_gain) ends_stage.find<2>(block, user::gain_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        if (OP2_HAS_gain) ends_stage.find_far<2>(block, 0, ends_all);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto heat_arg = op2::load_if<user::heat_view>(OP2_HAS_heat && block.busy(), heat, e);
        auto t_arg = op2::load_if<user::t_view>(block.busy(), t, e);
        op2::together(heat_arg, t_arg);
        if (block.busy()) {
            auto gain_arg = op2::neutral<op2::Inc, op2::Arr<user::gain_view::Value, 2>>();
            const auto gain_arg_entries = op2::each_mut(gain_arg);
            user::source_stage1(OP2_HAS_heat ? &heat_arg : nullptr, t_arg,
                OP2_HAS_gain ? &gain_arg_entries : nullptr);
            op2::store<user::t_view>(t, e, t_arg);
            op2::leave(kept, user::rooms::at0, block.p, gain_arg);
        }
    }
    {
        op2::Arena arena;
        const auto gain_shared = arena.collect<user::gain_view, 2>(ends_stage, block, OP2_HAS_gain);
        const auto ends_incoming = arena.incoming(ends_stage, block, OP2_HAS_gain);
        op2::u32 gain_rows = !OP2_HAS_gain ? 0 : gain_shared.rows(ends_incoming);
        op2::together(gain_rows);
        ends_incoming.fetch();
        if (OP2_HAS_gain) gain_shared.expect(ends_incoming, gain, gain_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto gain_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            if (OP2_HAS_gain) gain_shared.put(0, gain_arg);
        }
        op2::OP2_READS::collected();
        if (OP2_HAS_gain) gain_shared.flush<op2::Inc>(ends_incoming, gain);
        __syncthreads();
    }
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
source_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ heat, double* t, double* gain,
        const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> ends_all{};
    if (OP2_HAS_gain) ends_stage.find<2>(block, user::gain_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        if (OP2_HAS_gain) ends_stage.find_far<2>(block, 0, ends_all);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto heat_arg = op2::load_if<user::heat_view>(OP2_HAS_heat && block.busy(), heat, e);
        auto t_arg = op2::load_if<user::t_view>(block.busy(), t, e);
        op2::together(heat_arg, t_arg);
        if (block.busy()) {
            auto gain_arg = op2::neutral<op2::Inc, op2::Arr<user::gain_view::Value, 2>>();
            const auto gain_arg_entries = op2::each_mut(gain_arg);
            user::source_stage1(OP2_HAS_heat ? &heat_arg : nullptr, t_arg,
                OP2_HAS_gain ? &gain_arg_entries : nullptr);
            op2::store<user::t_view>(t, e, t_arg);
            if (OP2_HAS_gain) op2::atomic<op2::Inc, user::gain_view>(gain,
                ends_stage.target(block, ends_all), gain_arg);
        }
    }
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
source_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ heat, double* t, double* gain,
        const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> ends_all{};
    if (OP2_HAS_gain) ends_stage.find<2>(block, user::gain_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        if (OP2_HAS_gain) ends_stage.find_far<2>(block, 0, ends_all);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto heat_arg = op2::load_if<user::heat_view>(OP2_HAS_heat && block.busy(), heat, e);
        auto t_arg = op2::load_if<user::t_view>(block.busy(), t, e);
        op2::together(heat_arg, t_arg);
        if (block.busy()) {
            auto gain_arg = op2::neutral<op2::Inc, op2::Arr<user::gain_view::Value, 2>>();
            const auto gain_arg_entries = op2::each_mut(gain_arg);
            user::source_stage1(OP2_HAS_heat ? &heat_arg : nullptr, t_arg,
                OP2_HAS_gain ? &gain_arg_entries : nullptr);
            op2::store<user::t_view>(t, e, t_arg);
            op2::leave(kept, user::rooms::at0, block.p, gain_arg);
        }
    }
    {
        op2::Arena arena;
        const auto gain_shared = arena.collect<user::gain_view, 2>(ends_stage, block, OP2_HAS_gain);
        const auto ends_incoming = arena.incoming(ends_stage, block, OP2_HAS_gain);
        op2::u32 gain_rows = !OP2_HAS_gain ? 0 : gain_shared.rows(ends_incoming);
        op2::together(gain_rows);
        ends_incoming.fetch();
        if (OP2_HAS_gain) gain_shared.expect(ends_incoming, gain, gain_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto gain_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            if (OP2_HAS_gain) gain_shared.put(0, gain_arg);
        }
        op2::OP2_READS::collected();
        if (OP2_HAS_gain) gain_shared.flush_among<op2::Inc>(ends_incoming, gain);
        __syncthreads();
    }
}
