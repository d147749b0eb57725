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
    sum += weight;
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

// `spread` over `edges`:
//   weight: read(w)
//   sum: inc(s, ends[0])

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_global(op2::Range range, const double* __restrict__ w, double* s,
        const op2::u32* __restrict__ ends) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto ends_0 = op2::target(ends, OP2_ROWS_ends, 0, e);
        auto weight = op2::load<user::w_view>(w, e);
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        op2::together(weight);
        user::spread(weight, sum);
        op2::combine<op2::Inc, user::s_view>(s, ends_0, sum);
    }
}

// All data in global memory, contributions by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_atomic(op2::Range range, const double* __restrict__ w, double* s,
        const op2::u32* __restrict__ ends) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto ends_0 = op2::target(ends, OP2_ROWS_ends, 0, e);
        auto weight = op2::load<user::w_view>(w, e);
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        op2::together(weight);
        user::spread(weight, sum);
        op2::atomic<op2::Inc, user::s_view>(s, ends_0, sum);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage,
        const double* __restrict__ w, double* s, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto s_shared = arena.collect<user::s_view, 1>(ends_stage, block);
    const auto ends_incoming = arena.incoming(ends_stage, block);
    op2::u32 s_rows = s_shared.rows(ends_incoming);
    op2::together(s_rows);
    op2::u32 ends_0 = 0;
    ends_stage.find<1>(block, user::s_view::misses(), 0, ends_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<1>(block, 0, ends_0);
    }
    ends_incoming.fetch();
    s_shared.expect(ends_incoming, s, s_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto weight = op2::load_if<user::w_view>(block.busy(), w, e);
    op2::together(weight);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        user::spread(weight, sum);
        s_shared.put(0, sum);
    }
    op2::OP2_READS::collected();
    s_shared.flush<op2::Inc>(ends_incoming, s);
}

// All blocks at once; contributions to targets of several blocks go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage,
        const double* __restrict__ w, double* s, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto s_shared = arena.collect<user::s_view, 1>(ends_stage, block);
    const auto ends_incoming = arena.incoming(ends_stage, block);
    op2::u32 s_rows = s_shared.rows(ends_incoming);
    op2::together(s_rows);
    op2::u32 ends_0 = 0;
    ends_stage.find<1>(block, user::s_view::misses(), 0, ends_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<1>(block, 0, ends_0);
    }
    ends_incoming.fetch();
    s_shared.expect(ends_incoming, s, s_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto weight = op2::load_if<user::w_view>(block.busy(), w, e);
    op2::together(weight);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        user::spread(weight, sum);
        s_shared.put(0, sum);
    }
    op2::OP2_READS::collected();
    s_shared.flush_among<op2::Inc>(ends_incoming, s);
}

// All blocks at once; contributions to targets of other blocks are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_tiled(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage,
        const double* __restrict__ w, double* s, const op2::u32* __restrict__ ends,
        double* s_parts) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto s_shared = arena.collect<user::s_view, 1>(ends_stage, block);
    const auto ends_incoming = arena.incoming(ends_stage, block);
    op2::u32 s_rows = s_shared.rows(ends_incoming);
    op2::together(s_rows);
    op2::u32 ends_0 = 0;
    ends_stage.find<1>(block, user::s_view::misses(), 0, ends_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<1>(block, 0, ends_0);
    }
    ends_incoming.fetch();
    s_shared.expect(ends_incoming, s, s_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto weight = op2::load_if<user::w_view>(block.busy(), w, e);
    op2::together(weight);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        user::spread(weight, sum);
        s_shared.put(0, sum);
    }
    op2::OP2_READS::collected();
    s_shared.flush_apart<op2::Inc>(ends_incoming, s, s_parts);
}

// All data in global memory; contributions through maps are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_scatter(op2::Range range, const double* __restrict__ w, double* s,
        const op2::u32* __restrict__ ends, double* s_parts) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto weight = op2::load<user::w_view>(w, e);
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        op2::together(weight);
        user::spread(weight, sum);
        op2::scatter<user::s_view>(s_parts, range.rows, 1, 0, p, sum);
    }
}

// A thread for each target runs all elements that contribute to it.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_per_target(op2::PerTarget each, const double* __restrict__ w, double* s,
        const op2::u32* __restrict__ ends) {
    const auto target = each.target();
    auto slot = each.first();
    auto s_sum = op2::load_if<user::s_view>(each.busy(), s, target);
    op2::together(s_sum);
    if (!slot.busy()) return;
    while (slot.busy()) {
        const auto e = slot.element<1>(), k = slot.number<1>();
        OP2_ELEMENT(e);
        auto weight = op2::load<user::w_view>(w, e);
        auto sum = op2::neutral<op2::Inc, user::s_view::Value>();
        slot = each.behind(slot);
        op2::together(weight);
        user::spread(weight, sum);
        op2::keep_of<op2::Inc, user::s_view>(s_sum, k, 0, sum);
    }
    op2::store_own<user::s_view>(s, target, each.side_by_side(), s_sum);
}

// Combines `s` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
spread_gather_s(op2::Sums sums, double* s, const double* __restrict__ s_parts) {
    op2::gather<op2::Inc, user::s_view>(sums, s, s_parts);
}
