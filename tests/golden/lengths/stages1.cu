// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_FLOAT double
#define OP2_FLOAT1 double
#define OP2_LENGTH0 2
#define OP2_LENGTH1 3
#define OP2_READS Staged
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
#define OP2_LAYOUT_w Aos
#define OP2_STRIDE_w 1
#define OP2_LAYOUT_s Aos
#define OP2_STRIDE_s 1
#define OP2_MISS_s 0
#define OP2_ROWS_ends 1000

namespace user {

using namespace op2::types;
typedef OP2_FLOAT F;
typedef OP2_FLOAT1 G;
constexpr usize N = OP2_LENGTH0;
constexpr usize ENDS = OP2_LENGTH1;

__device__ __forceinline__ F mean(const Arr<F, N>& values) {
    F sum = F(0.0);
    {
        for (usize i = 0; i < N; i += 1) {
            sum += values[i];
        }
    }
    return sum * F(1.0 / double(N));
}

__device__ __forceinline__ void spread(const Arr<Arr<F, N>, 2>& q, const G& w,
        Arr<Arr<F, N>*, ENDS> sum, G& most) {
    Arr<F, 2> held;
    {
        auto made = op2::repeat<F, 2>(F(0.0));
        for (usize i = 0; i < 2; i += 1) {
            const Arr<F, N> row = q[i];
            made[i] = mean(row);
        }
        held = made;
    }
    const F first = held[0];
    const F second = held[1];
    {
        for (usize i = 0; i < ENDS; i += 1) {
            {
                for (usize i_2 = 0; i_2 < N; i_2 += 1) {
                    (*sum[i])[i_2] += first * q[1][i_2] - second;
                }
            }
        }
    }
    most = op2::max(most, w * G(double(ENDS)));
}

}  // namespace user

namespace user {

struct q_view : op2::View<Arr<Arr<F, N>, 2>, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
};
struct w_view : op2::View<G, op2::OP2_LAYOUT_w> {
    static __device__ op2::usize stride() { return OP2_STRIDE_w; }
};
struct s_view : op2::View<Arr<F, N>, op2::OP2_LAYOUT_s> {
    static __device__ op2::usize stride() { return OP2_STRIDE_s; }
    static __device__ bool misses() { return OP2_MISS_s; }
};
using most_value = G;

}  // namespace user

namespace user {

__device__ __forceinline__ void spread_stage1(const Arr<Arr<F, N>, 2>& q, const G& w,
        Arr<Arr<F, N>*, ENDS> sum, G& most) {
    Arr<F, 2> held;
    {
        auto made = op2::repeat<F, 2>(F(0.0));
        for (usize i = 0; i < 2; i += 1) {
            const Arr<F, N> row = q[i];
            made[i] = mean(row);
        }
        held = made;
    }
    const F first = held[0];
    const F second = held[1];
    {
        for (usize i = 0; i < ENDS; i += 1) {
            {
                for (usize i_2 = 0; i_2 < N; i_2 += 1) {
                    (*sum[i])[i_2] += first * q[1][i_2] - second;
                }
            }
        }
    }
    most = op2::max(most, w * G(double(ENDS)));
}

}  // namespace user

namespace user {
namespace rooms {

using Of0 = Arr<Arr<F, N>, ENDS>;
constexpr op2::usize at0 = 0;

}
}  // namespace user

// `spread` over `edges`:
//   q_arg: read(q)
//   w_arg: read(w)
//   sum: inc(s, ends[..])
//   most: gbl_max(most)

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const user::F* __restrict__ q, const user::G* __restrict__ w, user::F* s,
        const op2::u32* __restrict__ ends, const op2::Reduced most_reduced,
        const op2::Joining joining) {
    auto most = op2::start<op2::Max, user::most_value>();
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, user::ENDS> ends_all{};
    ends_stage.find<user::ENDS>(block, user::s_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<user::ENDS>(block, 0, ends_all);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto q_arg = op2::load_if<user::q_view>(block.busy(), q, e);
        auto w_arg = op2::load_if<user::w_view>(block.busy(), w, e);
        op2::together(q_arg, w_arg);
        if (block.busy()) {
            auto sum = op2::neutral<op2::Inc, op2::Arr<user::s_view::Value, user::ENDS>>();
            user::spread_stage1(q_arg, w_arg, op2::each_mut(sum), most);
            op2::leave(kept, user::rooms::at0, block.p, sum);
        }
    }
    {
        op2::Arena arena;
        const auto s_shared = arena.collect<user::s_view, user::ENDS>(ends_stage, block);
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
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Max>(most, most_reduced));
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const user::F* __restrict__ q, const user::G* __restrict__ w, user::F* s,
        const op2::u32* __restrict__ ends, const op2::Reduced most_reduced,
        const op2::Joining joining) {
    auto most = op2::start<op2::Max, user::most_value>();
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, user::ENDS> ends_all{};
    ends_stage.find<user::ENDS>(block, user::s_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<user::ENDS>(block, 0, ends_all);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto q_arg = op2::load_if<user::q_view>(block.busy(), q, e);
        auto w_arg = op2::load_if<user::w_view>(block.busy(), w, e);
        op2::together(q_arg, w_arg);
        if (block.busy()) {
            auto sum = op2::neutral<op2::Inc, op2::Arr<user::s_view::Value, user::ENDS>>();
            user::spread_stage1(q_arg, w_arg, op2::each_mut(sum), most);
            op2::atomic<op2::Inc, user::s_view>(s, ends_stage.target(block, ends_all), sum);
        }
    }
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Max>(most, most_reduced));
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const user::F* __restrict__ q, const user::G* __restrict__ w, user::F* s,
        const op2::u32* __restrict__ ends, const op2::Reduced most_reduced,
        const op2::Joining joining) {
    auto most = op2::start<op2::Max, user::most_value>();
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, user::ENDS> ends_all{};
    ends_stage.find<user::ENDS>(block, user::s_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<user::ENDS>(block, 0, ends_all);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto q_arg = op2::load_if<user::q_view>(block.busy(), q, e);
        auto w_arg = op2::load_if<user::w_view>(block.busy(), w, e);
        op2::together(q_arg, w_arg);
        if (block.busy()) {
            auto sum = op2::neutral<op2::Inc, op2::Arr<user::s_view::Value, user::ENDS>>();
            user::spread_stage1(q_arg, w_arg, op2::each_mut(sum), most);
            op2::leave(kept, user::rooms::at0, block.p, sum);
        }
    }
    {
        op2::Arena arena;
        const auto s_shared = arena.collect<user::s_view, user::ENDS>(ends_stage, block);
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
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Max>(most, most_reduced));
}
