// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_w Aos
#define OP2_STRIDE_w 1
#define OP2_LAYOUT_s Aos
#define OP2_STRIDE_s 1
#define OP2_MISS_s 0
#define OP2_ROWS_ends 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void spread(const double& weight, double& sum) {
    sum += 0.5 * weight;
}

}  // namespace user

namespace user {

struct w_view : op2::View<double, op2::OP2_LAYOUT_w> {
    static __device__ op2::usize stride() { return OP2_STRIDE_w; }
};
struct s_view : op2::View<double, op2::OP2_LAYOUT_s> {
    static __device__ op2::usize stride() { return OP2_STRIDE_s; }
    static __device__ bool misses() { return OP2_MISS_s; }
};

}  // namespace user

namespace user {

__device__ __forceinline__ void spread_stage1(const double& weight, double& sum) {
    sum += 0.5 * weight;
}

}  // namespace user

namespace user {
namespace rooms {

using Of0 = double;
constexpr op2::usize at0 = 0;

}
}  // namespace user

// `spread` over `edges`:
//   weight: read(w)
//   sum: inc(s, ends[0])

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ w, double* s, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::u32 ends_0 = 0;
    ends_stage.find<1>(block, user::s_view::misses(), 0, ends_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<1>(block, 0, ends_0);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto weight = op2::load_if<user::w_view>(block.busy(), w, e);
        op2::together(weight);
        if (block.busy()) {
            auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
            user::spread_stage1(weight, sum);
            op2::leave(kept, user::rooms::at0, block.p, sum);
        }
    }
    {
        op2::Arena arena;
        const auto s_shared = arena.collect<user::s_view, 1>(ends_stage, block);
        const auto ends_incoming = arena.incoming(ends_stage, block);
        op2::u32 s_rows = s_shared.rows(ends_incoming);
        op2::together(s_rows);
        ends_incoming.fetch();
        s_shared.expect(ends_incoming, s, s_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto sum = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            s_shared.put(0, sum);
        }
        op2::OP2_READS::collected();
        s_shared.flush<op2::Inc>(ends_incoming, s);
        __syncthreads();
    }
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ w, double* s, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::u32 ends_0 = 0;
    ends_stage.find<1>(block, user::s_view::misses(), 0, ends_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<1>(block, 0, ends_0);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto weight = op2::load_if<user::w_view>(block.busy(), w, e);
        op2::together(weight);
        if (block.busy()) {
            auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
            user::spread_stage1(weight, sum);
            op2::atomic<op2::Inc, user::s_view>(s, ends_stage.target(block, ends_0), sum);
        }
    }
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ w, double* s, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::u32 ends_0 = 0;
    ends_stage.find<1>(block, user::s_view::misses(), 0, ends_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<1>(block, 0, ends_0);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto weight = op2::load_if<user::w_view>(block.busy(), w, e);
        op2::together(weight);
        if (block.busy()) {
            auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
            user::spread_stage1(weight, sum);
            op2::leave(kept, user::rooms::at0, block.p, sum);
        }
    }
    {
        op2::Arena arena;
        const auto s_shared = arena.collect<user::s_view, 1>(ends_stage, block);
        const auto ends_incoming = arena.incoming(ends_stage, block);
        op2::u32 s_rows = s_shared.rows(ends_incoming);
        op2::together(s_rows);
        ends_incoming.fetch();
        s_shared.expect(ends_incoming, s, s_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto sum = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            s_shared.put(0, sum);
        }
        op2::OP2_READS::collected();
        s_shared.flush_among<op2::Inc>(ends_incoming, s);
        __syncthreads();
    }
}
