// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_value Aos
#define OP2_STRIDE_value 1
#define OP2_LAYOUT_ends Aos
#define OP2_STRIDE_ends 1
#define OP2_MISS_ends 0
#define OP2_LAYOUT_bits Aos
#define OP2_STRIDE_bits 1
#define OP2_MISS_bits 0
#define OP2_LAYOUT_own Aos
#define OP2_STRIDE_own 1
#define OP2_ROWS_edge_nodes 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void mark(const Arr<double, 2>& value, Arr<bool*, 2> ends, u32& bits,
        i64& own, bool& any, Arr<u64, 2>& all) {
    *ends[0] = bool(*ends[0] | (value[0] > 0.5));
    *ends[1] = *ends[1] || value[1] > 0.5;
    if (value[0] < 0.0) {
        bits |= 6;
    }
    own = own | 1;
    any = bool(any | op2::is_nan(value[0]));
    all[1] |= 1ull << 40;
}

}  // namespace user

namespace user {

struct value_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_value> {
    static __device__ op2::usize stride() { return OP2_STRIDE_value; }
};
struct ends_view : op2::View<bool, op2::OP2_LAYOUT_ends> {
    static __device__ op2::usize stride() { return OP2_STRIDE_ends; }
    static __device__ bool misses() { return OP2_MISS_ends; }
};
struct bits_view : op2::View<u32, op2::OP2_LAYOUT_bits> {
    static __device__ op2::usize stride() { return OP2_STRIDE_bits; }
    static __device__ bool misses() { return OP2_MISS_bits; }
};
struct own_view : op2::View<i64, op2::OP2_LAYOUT_own> {
    static __device__ op2::usize stride() { return OP2_STRIDE_own; }
};
using any_value = bool;
using all_value = Arr<u64, 2>;

}  // namespace user

// `mark` over `edges`:
//   value_arg: read(value)
//   ends_arg: or(ends, edge_nodes[..])
//   bits_arg: or(bits, edge_nodes[0])
//   own_arg: or(own)
//   any: gbl_or(any)
//   all: gbl_or(all)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_global(op2::Range range, const double* __restrict__ value, bool* ends, op2::u32* bits,
        op2::i64* own, const op2::u32* __restrict__ edge_nodes, const op2::Reduced any_reduced,
        const op2::Reduced all_reduced, const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto edge_nodes_all = op2::targets<2>(edge_nodes, OP2_ROWS_edge_nodes, e);
        const auto edge_nodes_0 = op2::target(edge_nodes, OP2_ROWS_edge_nodes, 0, e);
        auto value_arg = op2::load<user::value_view>(value, e);
        auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
        auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
        auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
        op2::together(value_arg);
        user::mark(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
        op2::combine<op2::Or, user::ends_view>(ends, edge_nodes_all, ends_arg);
        op2::combine<op2::Or, user::bits_view>(bits, edge_nodes_0, bits_arg);
        op2::combine_own<op2::Or, user::own_view>(own, e, op2::side_by_side(range, p), own_arg);
    }
    op2::reduce(joining, range.partials(), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// All data in global memory, contributions by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_atomic(op2::Range range, const double* __restrict__ value, bool* ends, op2::u32* bits,
        op2::i64* own, const op2::u32* __restrict__ edge_nodes, const op2::Reduced any_reduced,
        const op2::Reduced all_reduced, const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto edge_nodes_all = op2::targets<2>(edge_nodes, OP2_ROWS_edge_nodes, e);
        const auto edge_nodes_0 = op2::target(edge_nodes, OP2_ROWS_edge_nodes, 0, e);
        auto value_arg = op2::load<user::value_view>(value, e);
        auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
        auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
        auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
        op2::together(value_arg);
        user::mark(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
        op2::atomic<op2::Or, user::ends_view>(ends, edge_nodes_all, ends_arg);
        op2::atomic<op2::Or, user::bits_view>(bits, edge_nodes_0, bits_arg);
        op2::atomic<op2::Or, user::own_view>(own, e, own_arg);
    }
    op2::reduce(joining, range.partials(), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> edge_nodes_stage,
        op2::Stage<op2::OP2_READS> edge_nodes_stage_2, const double* __restrict__ value,
        bool* ends, op2::u32* bits, op2::i64* own, const op2::u32* __restrict__ edge_nodes,
        const op2::Reduced any_reduced, const op2::Reduced all_reduced,
        const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto ends_shared = arena.collect<user::ends_view, 2>(edge_nodes_stage, block);
    const auto bits_shared = arena.collect<user::bits_view, 1>(edge_nodes_stage_2, block);
    const auto edge_nodes_incoming = arena.incoming(edge_nodes_stage, block);
    const auto edge_nodes_incoming_2 = arena.incoming(edge_nodes_stage_2, block);
    op2::u32 ends_rows = ends_shared.rows(edge_nodes_incoming);
    op2::together(ends_rows);
    op2::u32 bits_rows = bits_shared.rows(edge_nodes_incoming_2);
    op2::together(bits_rows);
    op2::Arr<op2::u32, 2> edge_nodes_all{};
    edge_nodes_stage.find<2>(block, user::ends_view::misses(), 0, edge_nodes_all);
    op2::u32 edge_nodes_0 = 0;
    edge_nodes_stage_2.find<1>(block, user::bits_view::misses(), 0, edge_nodes_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        edge_nodes_stage.find_far<2>(block, 0, edge_nodes_all);
        edge_nodes_stage_2.find_far<1>(block, 0, edge_nodes_0);
    }
    edge_nodes_incoming.fetch();
    edge_nodes_incoming_2.fetch();
    ends_shared.expect(edge_nodes_incoming, ends, ends_rows);
    bits_shared.expect(edge_nodes_incoming_2, bits, bits_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto value_arg = op2::load_if<user::value_view>(block.busy(), value, e);
    op2::together(value_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
        auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
        auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
        user::mark(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
        ends_shared.put(0, ends_arg);
        bits_shared.put(0, bits_arg);
        op2::combine<op2::Or, user::own_view>(own, e, own_arg);
    }
    op2::OP2_READS::collected();
    ends_shared.flush<op2::Or>(edge_nodes_incoming, ends);
    __syncthreads();
    bits_shared.flush<op2::Or>(edge_nodes_incoming_2, bits);
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// All blocks at once; contributions to targets of several blocks go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> edge_nodes_stage,
        op2::Stage<op2::OP2_READS> edge_nodes_stage_2, const double* __restrict__ value,
        bool* ends, op2::u32* bits, op2::i64* own, const op2::u32* __restrict__ edge_nodes,
        const op2::Reduced any_reduced, const op2::Reduced all_reduced,
        const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto ends_shared = arena.collect<user::ends_view, 2>(edge_nodes_stage, block);
    const auto bits_shared = arena.collect<user::bits_view, 1>(edge_nodes_stage_2, block);
    const auto edge_nodes_incoming = arena.incoming(edge_nodes_stage, block);
    const auto edge_nodes_incoming_2 = arena.incoming(edge_nodes_stage_2, block);
    op2::u32 ends_rows = ends_shared.rows(edge_nodes_incoming);
    op2::together(ends_rows);
    op2::u32 bits_rows = bits_shared.rows(edge_nodes_incoming_2);
    op2::together(bits_rows);
    op2::Arr<op2::u32, 2> edge_nodes_all{};
    edge_nodes_stage.find<2>(block, user::ends_view::misses(), 0, edge_nodes_all);
    op2::u32 edge_nodes_0 = 0;
    edge_nodes_stage_2.find<1>(block, user::bits_view::misses(), 0, edge_nodes_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        edge_nodes_stage.find_far<2>(block, 0, edge_nodes_all);
        edge_nodes_stage_2.find_far<1>(block, 0, edge_nodes_0);
    }
    edge_nodes_incoming.fetch();
    edge_nodes_incoming_2.fetch();
    ends_shared.expect(edge_nodes_incoming, ends, ends_rows);
    bits_shared.expect(edge_nodes_incoming_2, bits, bits_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto value_arg = op2::load_if<user::value_view>(block.busy(), value, e);
    op2::together(value_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
        auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
        auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
        user::mark(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
        ends_shared.put(0, ends_arg);
        bits_shared.put(0, bits_arg);
        op2::atomic<op2::Or, user::own_view>(own, e, own_arg);
    }
    op2::OP2_READS::collected();
    ends_shared.flush_among<op2::Or>(edge_nodes_incoming, ends);
    __syncthreads();
    bits_shared.flush_among<op2::Or>(edge_nodes_incoming_2, bits);
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// All blocks at once; contributions to targets of other blocks are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_tiled(op2::Blocks blocks, op2::Stage<op2::OP2_READS> edge_nodes_stage,
        op2::Stage<op2::OP2_READS> edge_nodes_stage_2, const double* __restrict__ value,
        bool* ends, op2::u32* bits, op2::i64* own, const op2::u32* __restrict__ edge_nodes,
        const op2::Reduced any_reduced, const op2::Reduced all_reduced, const op2::Joining joining,
        bool* ends_parts, op2::u32* bits_parts) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto ends_shared = arena.collect<user::ends_view, 2>(edge_nodes_stage, block);
    const auto bits_shared = arena.collect<user::bits_view, 1>(edge_nodes_stage_2, block);
    const auto edge_nodes_incoming = arena.incoming(edge_nodes_stage, block);
    const auto edge_nodes_incoming_2 = arena.incoming(edge_nodes_stage_2, block);
    op2::u32 ends_rows = ends_shared.rows(edge_nodes_incoming);
    op2::together(ends_rows);
    op2::u32 bits_rows = bits_shared.rows(edge_nodes_incoming_2);
    op2::together(bits_rows);
    op2::Arr<op2::u32, 2> edge_nodes_all{};
    edge_nodes_stage.find<2>(block, user::ends_view::misses(), 0, edge_nodes_all);
    op2::u32 edge_nodes_0 = 0;
    edge_nodes_stage_2.find<1>(block, user::bits_view::misses(), 0, edge_nodes_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        edge_nodes_stage.find_far<2>(block, 0, edge_nodes_all);
        edge_nodes_stage_2.find_far<1>(block, 0, edge_nodes_0);
    }
    edge_nodes_incoming.fetch();
    edge_nodes_incoming_2.fetch();
    ends_shared.expect(edge_nodes_incoming, ends, ends_rows);
    bits_shared.expect(edge_nodes_incoming_2, bits, bits_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto value_arg = op2::load_if<user::value_view>(block.busy(), value, e);
    op2::together(value_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
        auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
        auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
        user::mark(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
        ends_shared.put(0, ends_arg);
        bits_shared.put(0, bits_arg);
        op2::combine<op2::Or, user::own_view>(own, e, own_arg);
    }
    op2::OP2_READS::collected();
    ends_shared.flush_apart<op2::Or>(edge_nodes_incoming, ends, ends_parts);
    __syncthreads();
    bits_shared.flush_apart<op2::Or>(edge_nodes_incoming_2, bits, bits_parts);
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// All data in global memory; contributions through maps are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_scatter(op2::Range range, const double* __restrict__ value, bool* ends, op2::u32* bits,
        op2::i64* own, const op2::u32* __restrict__ edge_nodes, const op2::Reduced any_reduced,
        const op2::Reduced all_reduced, const op2::Joining joining, bool* ends_parts,
        op2::u32* bits_parts) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto value_arg = op2::load<user::value_view>(value, e);
        auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
        auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
        auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
        op2::together(value_arg);
        user::mark(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
        op2::scatter<user::ends_view>(ends_parts, range.rows, 2, 0, p, ends_arg);
        op2::scatter<user::bits_view>(bits_parts, range.rows, 1, 0, p, bits_arg);
        op2::combine_own<op2::Or, user::own_view>(own, e, op2::side_by_side(range, p), own_arg);
    }
    op2::reduce(joining, range.partials(), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// Combines `ends` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_gather_ends(op2::Sums sums, bool* ends, const bool* __restrict__ ends_parts) {
    op2::gather<op2::Or, user::ends_view>(sums, ends, ends_parts);
}

// Combines `bits` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_gather_bits(op2::Sums sums, op2::u32* bits, const op2::u32* __restrict__ bits_parts) {
    op2::gather<op2::Or, user::bits_view>(sums, bits, bits_parts);
}
