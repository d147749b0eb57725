// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_a Aos
#define OP2_STRIDE_a 1
#define OP2_LAYOUT_b Aos
#define OP2_STRIDE_b 1
#define OP2_MISS_b 0
#define OP2_ROWS_link 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void clear(double& a, double& b) {
    a = 0.0;
    b += 1.0;
}

}  // namespace user

namespace user {

struct a_view : op2::View<double, op2::OP2_LAYOUT_a> {
    static __device__ op2::usize stride() { return OP2_STRIDE_a; }
};
struct b_view : op2::View<double, op2::OP2_LAYOUT_b> {
    static __device__ op2::usize stride() { return OP2_STRIDE_b; }
    static __device__ bool misses() { return OP2_MISS_b; }
};

}  // namespace user

namespace user {

__device__ __forceinline__ void clear_stage1(double& a, double& b) {
    a = 0.0;
    b += 1.0;
}

}  // namespace user

namespace user {
namespace rooms {

using Of0 = double;
constexpr op2::usize at0 = 0;

}
}  // namespace user

// `clear` over `boundary`:
//   a_arg: write(a)
//   b_arg: inc(b, link[0])

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> link_stage, op2::Kept kept, double* a,
        double* b, const op2::u32* __restrict__ link) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::u32 link_0 = 0;
    link_stage.find<1>(block, user::b_view::misses(), 0, link_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        link_stage.find_far<1>(block, 0, link_0);
    }
    {
        if (block.busy()) {
            OP2_ELEMENT(e);
            user::a_view::Value a_arg;
            auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
            user::clear_stage1(a_arg, b_arg);
            op2::store<user::a_view>(a, e, a_arg);
            op2::leave(kept, user::rooms::at0, block.p, b_arg);
        }
    }
    {
        op2::Arena arena;
        const auto b_shared = arena.collect<user::b_view, 1>(link_stage, block);
        const auto link_incoming = arena.incoming(link_stage, block);
        op2::u32 b_rows = b_shared.rows(link_incoming);
        op2::together(b_rows);
        link_incoming.fetch();
        b_shared.expect(link_incoming, b, b_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto b_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            b_shared.put(0, b_arg);
        }
        op2::OP2_READS::collected();
        b_shared.flush<op2::Inc>(link_incoming, b);
        __syncthreads();
    }
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> link_stage, op2::Kept kept,
        double* a, double* b, const op2::u32* __restrict__ link) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::u32 link_0 = 0;
    link_stage.find<1>(block, user::b_view::misses(), 0, link_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        link_stage.find_far<1>(block, 0, link_0);
    }
    {
        if (block.busy()) {
            OP2_ELEMENT(e);
            user::a_view::Value a_arg;
            auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
            user::clear_stage1(a_arg, b_arg);
            op2::store<user::a_view>(a, e, a_arg);
            op2::atomic<op2::Inc, user::b_view>(b, link_stage.target(block, link_0), b_arg);
        }
    }
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> link_stage, op2::Kept kept, double* a,
        double* b, const op2::u32* __restrict__ link) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::u32 link_0 = 0;
    link_stage.find<1>(block, user::b_view::misses(), 0, link_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        link_stage.find_far<1>(block, 0, link_0);
    }
    {
        if (block.busy()) {
            OP2_ELEMENT(e);
            user::a_view::Value a_arg;
            auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
            user::clear_stage1(a_arg, b_arg);
            op2::store<user::a_view>(a, e, a_arg);
            op2::leave(kept, user::rooms::at0, block.p, b_arg);
        }
    }
    {
        op2::Arena arena;
        const auto b_shared = arena.collect<user::b_view, 1>(link_stage, block);
        const auto link_incoming = arena.incoming(link_stage, block);
        op2::u32 b_rows = b_shared.rows(link_incoming);
        op2::together(b_rows);
        link_incoming.fetch();
        b_shared.expect(link_incoming, b, b_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto b_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            b_shared.put(0, b_arg);
        }
        op2::OP2_READS::collected();
        b_shared.flush_among<op2::Inc>(link_incoming, b);
        __syncthreads();
    }
}
