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

// `clear` over `boundary`:
//   a_arg: write(a)
//   b_arg: inc(b, link[0])

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_global(op2::Range range, double* a, double* b, const op2::u32* __restrict__ link) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto link_0 = op2::target(link, OP2_ROWS_link, 0, e);
        user::a_view::Value a_arg;
        auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
        user::clear(a_arg, b_arg);
        op2::store_own<user::a_view>(a, e, op2::side_by_side(range, p), a_arg);
        op2::combine<op2::Inc, user::b_view>(b, link_0, b_arg);
    }
}

// All data in global memory, contributions by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_atomic(op2::Range range, double* a, double* b, const op2::u32* __restrict__ link) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto link_0 = op2::target(link, OP2_ROWS_link, 0, e);
        user::a_view::Value a_arg;
        auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
        user::clear(a_arg, b_arg);
        op2::store_own<user::a_view>(a, e, op2::side_by_side(range, p), a_arg);
        op2::atomic<op2::Inc, user::b_view>(b, link_0, b_arg);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> link_stage, double* a, double* b,
        const op2::u32* __restrict__ link) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto b_shared = arena.collect<user::b_view, 1>(link_stage, block);
    const auto link_incoming = arena.incoming(link_stage, block);
    op2::u32 b_rows = b_shared.rows(link_incoming);
    op2::together(b_rows);
    op2::u32 link_0 = 0;
    link_stage.find<1>(block, user::b_view::misses(), 0, link_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        link_stage.find_far<1>(block, 0, link_0);
    }
    link_incoming.fetch();
    b_shared.expect(link_incoming, b, b_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        user::a_view::Value a_arg;
        auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
        user::clear(a_arg, b_arg);
        op2::store<user::a_view>(a, e, a_arg);
        b_shared.put(0, b_arg);
    }
    op2::OP2_READS::collected();
    b_shared.flush<op2::Inc>(link_incoming, b);
}

// All blocks at once; contributions to targets of several blocks go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> link_stage, double* a, double* b,
        const op2::u32* __restrict__ link) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto b_shared = arena.collect<user::b_view, 1>(link_stage, block);
    const auto link_incoming = arena.incoming(link_stage, block);
    op2::u32 b_rows = b_shared.rows(link_incoming);
    op2::together(b_rows);
    op2::u32 link_0 = 0;
    link_stage.find<1>(block, user::b_view::misses(), 0, link_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        link_stage.find_far<1>(block, 0, link_0);
    }
    link_incoming.fetch();
    b_shared.expect(link_incoming, b, b_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        user::a_view::Value a_arg;
        auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
        user::clear(a_arg, b_arg);
        op2::store<user::a_view>(a, e, a_arg);
        b_shared.put(0, b_arg);
    }
    op2::OP2_READS::collected();
    b_shared.flush_among<op2::Inc>(link_incoming, b);
}

// All blocks at once; contributions to targets of other blocks are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_tiled(op2::Blocks blocks, op2::Stage<op2::OP2_READS> link_stage, double* a, double* b,
        const op2::u32* __restrict__ link, double* b_parts) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto b_shared = arena.collect<user::b_view, 1>(link_stage, block);
    const auto link_incoming = arena.incoming(link_stage, block);
    op2::u32 b_rows = b_shared.rows(link_incoming);
    op2::together(b_rows);
    op2::u32 link_0 = 0;
    link_stage.find<1>(block, user::b_view::misses(), 0, link_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        link_stage.find_far<1>(block, 0, link_0);
    }
    link_incoming.fetch();
    b_shared.expect(link_incoming, b, b_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        user::a_view::Value a_arg;
        auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
        user::clear(a_arg, b_arg);
        op2::store<user::a_view>(a, e, a_arg);
        b_shared.put(0, b_arg);
    }
    op2::OP2_READS::collected();
    b_shared.flush_apart<op2::Inc>(link_incoming, b, b_parts);
}

// All data in global memory; contributions through maps are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_scatter(op2::Range range, double* a, double* b, const op2::u32* __restrict__ link,
        double* b_parts) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        user::a_view::Value a_arg;
        auto b_arg = op2::neutral<op2::Inc, user::b_view::Value>();
        user::clear(a_arg, b_arg);
        op2::store_own<user::a_view>(a, e, op2::side_by_side(range, p), a_arg);
        op2::scatter<user::b_view>(b_parts, range.rows, 1, 0, p, b_arg);
    }
}

// Combines `b` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
clear_gather_b(op2::Sums sums, double* b, const double* __restrict__ b_parts) {
    op2::gather<op2::Inc, user::b_view>(sums, b, b_parts);
}
