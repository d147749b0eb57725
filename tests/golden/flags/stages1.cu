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

namespace user {

__device__ __forceinline__ void mark_stage1(const Arr<double, 2>& value, Arr<bool*, 2> ends,
        u32& bits, i64& own, bool& any, Arr<u64, 2>& all) {
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
namespace rooms {

using Of0 = Arr<bool, 2>;
constexpr op2::usize at0 = 0;
using Of1 = u32;
constexpr op2::usize at1 = at0 + op2::room<Of0>;

}
}  // namespace user

// `mark` over `edges`:
//   value_arg: read(value)
//   ends_arg: or(ends, edge_nodes[..])
//   bits_arg: or(bits, edge_nodes[0])
//   own_arg: or(own)
//   any: gbl_or(any)
//   all: gbl_or(all)

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> edge_nodes_stage,
        op2::Stage<op2::OP2_READS> edge_nodes_stage_2, op2::Kept kept,
        const double* __restrict__ value, bool* ends, op2::u32* bits, op2::i64* own,
        const op2::u32* __restrict__ edge_nodes, const op2::Reduced any_reduced,
        const op2::Reduced all_reduced, const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> edge_nodes_all{};
    edge_nodes_stage.find<2>(block, user::ends_view::misses(), 0, edge_nodes_all);
    op2::u32 edge_nodes_0 = 0;
    edge_nodes_stage_2.find<1>(block, user::bits_view::misses(), 0, edge_nodes_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        edge_nodes_stage.find_far<2>(block, 0, edge_nodes_all);
        edge_nodes_stage_2.find_far<1>(block, 0, edge_nodes_0);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto value_arg = op2::load_if<user::value_view>(block.busy(), value, e);
        op2::together(value_arg);
        if (block.busy()) {
            auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
            auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
            auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
            user::mark_stage1(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
            op2::leave(kept, user::rooms::at0, block.p, ends_arg);
            op2::leave(kept, user::rooms::at1, block.p, bits_arg);
            op2::combine<op2::Or, user::own_view>(own, e, own_arg);
        }
    }
    {
        op2::Arena arena;
        const auto ends_shared = arena.collect<user::ends_view, 2>(edge_nodes_stage, block);
        const auto edge_nodes_incoming = arena.incoming(edge_nodes_stage, block);
        op2::u32 ends_rows = ends_shared.rows(edge_nodes_incoming);
        op2::together(ends_rows);
        edge_nodes_incoming.fetch();
        ends_shared.expect(edge_nodes_incoming, ends, ends_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto ends_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            ends_shared.put(0, ends_arg);
        }
        op2::OP2_READS::collected();
        ends_shared.flush<op2::Or>(edge_nodes_incoming, ends);
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto bits_shared = arena.collect<user::bits_view, 1>(edge_nodes_stage_2, block);
        const auto edge_nodes_incoming_2 = arena.incoming(edge_nodes_stage_2, block);
        op2::u32 bits_rows = bits_shared.rows(edge_nodes_incoming_2);
        op2::together(bits_rows);
        edge_nodes_incoming_2.fetch();
        bits_shared.expect(edge_nodes_incoming_2, bits, bits_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto bits_arg = op2::fetch<user::rooms::Of1>(kept, user::rooms::at1, block.p);
            bits_shared.put(0, bits_arg);
        }
        op2::OP2_READS::collected();
        bits_shared.flush<op2::Or>(edge_nodes_incoming_2, bits);
        __syncthreads();
    }
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> edge_nodes_stage,
        op2::Stage<op2::OP2_READS> edge_nodes_stage_2, op2::Kept kept,
        const double* __restrict__ value, bool* ends, op2::u32* bits, op2::i64* own,
        const op2::u32* __restrict__ edge_nodes, const op2::Reduced any_reduced,
        const op2::Reduced all_reduced, const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> edge_nodes_all{};
    edge_nodes_stage.find<2>(block, user::ends_view::misses(), 0, edge_nodes_all);
    op2::u32 edge_nodes_0 = 0;
    edge_nodes_stage_2.find<1>(block, user::bits_view::misses(), 0, edge_nodes_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        edge_nodes_stage.find_far<2>(block, 0, edge_nodes_all);
        edge_nodes_stage_2.find_far<1>(block, 0, edge_nodes_0);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto value_arg = op2::load_if<user::value_view>(block.busy(), value, e);
        op2::together(value_arg);
        if (block.busy()) {
            auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
            auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
            auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
            user::mark_stage1(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
            op2::atomic<op2::Or, user::ends_view>(ends,
                edge_nodes_stage.target(block, edge_nodes_all), ends_arg);
            op2::atomic<op2::Or, user::bits_view>(bits,
                edge_nodes_stage_2.target(block, edge_nodes_0), bits_arg);
            op2::atomic<op2::Or, user::own_view>(own, e, own_arg);
        }
    }
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
mark_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> edge_nodes_stage,
        op2::Stage<op2::OP2_READS> edge_nodes_stage_2, op2::Kept kept,
        const double* __restrict__ value, bool* ends, op2::u32* bits, op2::i64* own,
        const op2::u32* __restrict__ edge_nodes, const op2::Reduced any_reduced,
        const op2::Reduced all_reduced, const op2::Joining joining) {
    auto any = op2::start<op2::Or, user::any_value>();
    auto all = op2::start<op2::Or, user::all_value>();
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> edge_nodes_all{};
    edge_nodes_stage.find<2>(block, user::ends_view::misses(), 0, edge_nodes_all);
    op2::u32 edge_nodes_0 = 0;
    edge_nodes_stage_2.find<1>(block, user::bits_view::misses(), 0, edge_nodes_0);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        edge_nodes_stage.find_far<2>(block, 0, edge_nodes_all);
        edge_nodes_stage_2.find_far<1>(block, 0, edge_nodes_0);
    }
    {
        if (block.busy()) OP2_ELEMENT(e);
        auto value_arg = op2::load_if<user::value_view>(block.busy(), value, e);
        op2::together(value_arg);
        if (block.busy()) {
            auto own_arg = op2::neutral<op2::Or, user::own_view::Value>();
            auto ends_arg = op2::neutral<op2::Or, op2::Arr<user::ends_view::Value, 2>>();
            auto bits_arg = op2::neutral<op2::Or, user::bits_view::Value>();
            user::mark_stage1(value_arg, op2::each_mut(ends_arg), bits_arg, own_arg, any, all);
            op2::leave(kept, user::rooms::at0, block.p, ends_arg);
            op2::leave(kept, user::rooms::at1, block.p, bits_arg);
            op2::atomic<op2::Or, user::own_view>(own, e, own_arg);
        }
    }
    {
        op2::Arena arena;
        const auto ends_shared = arena.collect<user::ends_view, 2>(edge_nodes_stage, block);
        const auto edge_nodes_incoming = arena.incoming(edge_nodes_stage, block);
        op2::u32 ends_rows = ends_shared.rows(edge_nodes_incoming);
        op2::together(ends_rows);
        edge_nodes_incoming.fetch();
        ends_shared.expect(edge_nodes_incoming, ends, ends_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto ends_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            ends_shared.put(0, ends_arg);
        }
        op2::OP2_READS::collected();
        ends_shared.flush_among<op2::Or>(edge_nodes_incoming, ends);
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto bits_shared = arena.collect<user::bits_view, 1>(edge_nodes_stage_2, block);
        const auto edge_nodes_incoming_2 = arena.incoming(edge_nodes_stage_2, block);
        op2::u32 bits_rows = bits_shared.rows(edge_nodes_incoming_2);
        op2::together(bits_rows);
        edge_nodes_incoming_2.fetch();
        bits_shared.expect(edge_nodes_incoming_2, bits, bits_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto bits_arg = op2::fetch<user::rooms::Of1>(kept, user::rooms::at1, block.p);
            bits_shared.put(0, bits_arg);
        }
        op2::OP2_READS::collected();
        bits_shared.flush_among<op2::Or>(edge_nodes_incoming_2, bits);
        __syncthreads();
    }
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Or>(any, any_reduced),
        op2::reducing<op2::Or>(all, all_reduced));
}
