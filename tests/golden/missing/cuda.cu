// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_speed Aos
#define OP2_STRIDE_speed 1
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
#define OP2_MISS_q 1
#define OP2_LAYOUT_change Aos
#define OP2_STRIDE_change 1
#define OP2_MISS_change 1
#define OP2_ROWS_sides 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void upwind(const double& speed, Arr<const double*, 2> q,
        const u32* near, const double& inflow, Arr<double*, 2> change) {
    double chosen;
    if (q[0] != nullptr) {
        const double& some = *q[0];
        chosen = some;
    } else {
        chosen = inflow;
    }
    double chosen_2;
    if (q[1] != nullptr) {
        const double& some = *q[1];
        chosen_2 = some;
    } else {
        chosen_2 = inflow;
    }
    const Arr<double, 2> held = {{chosen, chosen_2}};
    const double left = held[0];
    const double right = held[1];
    double flux = speed * (speed > 0.0 ? left : right);
    if (near != nullptr) {
        const u32 near_2 = *near;
        flux += double(near_2);
    }
    *change[0] -= flux;
    if (q[1] != nullptr) {
        *change[1] += flux;
    }
}

}  // namespace user

namespace user {

struct speed_view : op2::View<double, op2::OP2_LAYOUT_speed> {
    static __device__ op2::usize stride() { return OP2_STRIDE_speed; }
};
struct q_view : op2::View<double, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
    static __device__ bool misses() { return OP2_MISS_q; }
};
struct change_view : op2::View<double, op2::OP2_LAYOUT_change> {
    static __device__ op2::usize stride() { return OP2_STRIDE_change; }
    static __device__ bool misses() { return OP2_MISS_change; }
};
using inflow_value = double;

}  // namespace user

// `upwind` over `edges`:
//   speed_arg: read(speed)
//   q_arg: read(q, sides[..])
//   near: idx(sides[0])
//   inflow: gbl_read(inflow)
//   change_arg: inc(change, sides[..])

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_global(op2::Range range, const double* __restrict__ speed, const double* __restrict__ q,
        double* change, const op2::u32* __restrict__ sides,
        const op2::u32* __restrict__ near_numbers, const user::inflow_value inflow) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto sides_all = op2::targets<2>(sides, OP2_ROWS_sides, e);
        const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
        auto speed_arg = op2::load<user::speed_view>(speed, e);
        auto q_arg = op2::load_maybe<user::q_view>(q, sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        op2::together(speed_arg, q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe(sides_all, q_arg), op2::maybe(sides_0, near), inflow,
            op2::each_mut(change_arg));
        op2::combine<op2::Inc, user::change_view>(change, sides_all, change_arg);
    }
}

// All data in global memory, contributions by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_atomic(op2::Range range, const double* __restrict__ speed, const double* __restrict__ q,
        double* change, const op2::u32* __restrict__ sides,
        const op2::u32* __restrict__ near_numbers, const user::inflow_value inflow) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto sides_all = op2::targets<2>(sides, OP2_ROWS_sides, e);
        const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
        auto speed_arg = op2::load<user::speed_view>(speed, e);
        auto q_arg = op2::load_maybe<user::q_view>(q, sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        op2::together(speed_arg, q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe(sides_all, q_arg), op2::maybe(sides_0, near), inflow,
            op2::each_mut(change_arg));
        op2::atomic<op2::Inc, user::change_view>(change, sides_all, change_arg);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage,
        const double* __restrict__ speed, const double* __restrict__ q, double* change,
        const op2::u32* __restrict__ sides, const op2::u32* __restrict__ near_numbers,
        const user::inflow_value inflow) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto q_shared = arena.read<user::q_view>(sides_stage, block, q);
    const auto change_shared = arena.collect<user::change_view, 2>(sides_stage, block);
    const auto sides_incoming = arena.incoming(sides_stage, block);
    op2::u32 change_rows = change_shared.rows(sides_incoming);
    op2::together(change_rows);
    op2::Arr<op2::u32, 2> sides_all{};
    sides_stage.find<2>(block, user::q_view::misses(), 0, sides_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        sides_stage.find_far<2>(block, 0, sides_all);
    }
    const auto q_rows = q_shared.rows();
    sides_incoming.fetch();
    q_shared.fetch(q, q_rows);
    change_shared.expect(sides_incoming, change, change_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto speed_arg = op2::load_if<user::speed_view>(block.busy(), speed, e);
    op2::together(speed_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
        auto q_arg = q_shared.load_maybe(sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        op2::OP2_READS::together(q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe_here<op2::OP2_READS>(sides_all, q_arg),
            op2::maybe(sides_0, near), inflow, op2::each_mut(change_arg));
        change_shared.put(0, change_arg);
    }
    op2::OP2_READS::collected();
    change_shared.flush<op2::Inc>(sides_incoming, change);
}

// All blocks at once; contributions to targets of several blocks go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage,
        const double* __restrict__ speed, const double* __restrict__ q, double* change,
        const op2::u32* __restrict__ sides, const op2::u32* __restrict__ near_numbers,
        const user::inflow_value inflow) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto q_shared = arena.read<user::q_view>(sides_stage, block, q);
    const auto change_shared = arena.collect<user::change_view, 2>(sides_stage, block);
    const auto sides_incoming = arena.incoming(sides_stage, block);
    op2::u32 change_rows = change_shared.rows(sides_incoming);
    op2::together(change_rows);
    op2::Arr<op2::u32, 2> sides_all{};
    sides_stage.find<2>(block, user::q_view::misses(), 0, sides_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        sides_stage.find_far<2>(block, 0, sides_all);
    }
    const auto q_rows = q_shared.rows();
    sides_incoming.fetch();
    q_shared.fetch(q, q_rows);
    change_shared.expect(sides_incoming, change, change_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto speed_arg = op2::load_if<user::speed_view>(block.busy(), speed, e);
    op2::together(speed_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
        auto q_arg = q_shared.load_maybe(sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        op2::OP2_READS::together(q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe_here<op2::OP2_READS>(sides_all, q_arg),
            op2::maybe(sides_0, near), inflow, op2::each_mut(change_arg));
        change_shared.put(0, change_arg);
    }
    op2::OP2_READS::collected();
    change_shared.flush_among<op2::Inc>(sides_incoming, change);
}

// All blocks at once; contributions to targets of other blocks are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_tiled(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage,
        const double* __restrict__ speed, const double* __restrict__ q, double* change,
        const op2::u32* __restrict__ sides, const op2::u32* __restrict__ near_numbers,
        const user::inflow_value inflow, double* change_parts) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto q_shared = arena.read<user::q_view>(sides_stage, block, q);
    const auto change_shared = arena.collect<user::change_view, 2>(sides_stage, block);
    const auto sides_incoming = arena.incoming(sides_stage, block);
    op2::u32 change_rows = change_shared.rows(sides_incoming);
    op2::together(change_rows);
    op2::Arr<op2::u32, 2> sides_all{};
    sides_stage.find<2>(block, user::q_view::misses(), 0, sides_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        sides_stage.find_far<2>(block, 0, sides_all);
    }
    const auto q_rows = q_shared.rows();
    sides_incoming.fetch();
    q_shared.fetch(q, q_rows);
    change_shared.expect(sides_incoming, change, change_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto speed_arg = op2::load_if<user::speed_view>(block.busy(), speed, e);
    op2::together(speed_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
        auto q_arg = q_shared.load_maybe(sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        op2::OP2_READS::together(q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe_here<op2::OP2_READS>(sides_all, q_arg),
            op2::maybe(sides_0, near), inflow, op2::each_mut(change_arg));
        change_shared.put(0, change_arg);
    }
    op2::OP2_READS::collected();
    change_shared.flush_apart<op2::Inc>(sides_incoming, change, change_parts);
}

// All data in global memory; contributions through maps are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_scatter(op2::Range range, const double* __restrict__ speed, const double* __restrict__ q,
        double* change, const op2::u32* __restrict__ sides,
        const op2::u32* __restrict__ near_numbers, const user::inflow_value inflow,
        double* change_parts) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto sides_all = op2::targets<2>(sides, OP2_ROWS_sides, e);
        const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
        auto speed_arg = op2::load<user::speed_view>(speed, e);
        auto q_arg = op2::load_maybe<user::q_view>(q, sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        op2::together(speed_arg, q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe(sides_all, q_arg), op2::maybe(sides_0, near), inflow,
            op2::each_mut(change_arg));
        op2::scatter<user::change_view>(change_parts, range.rows, 2, 0, p, change_arg);
    }
}

// A thread for each target runs all elements that contribute to it.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_per_target(op2::PerTarget each, const double* __restrict__ speed,
        const double* __restrict__ q, double* change, const op2::u32* __restrict__ sides,
        const op2::u32* __restrict__ near_numbers, const user::inflow_value inflow) {
    const auto target = each.target();
    auto slot = each.first();
    auto change_sum = op2::load_if<user::change_view>(each.busy(), change, target);
    auto sides_all = op2::targets<2>(sides, each.rows, slot.at);
    auto sides_0 = op2::target(sides, each.rows, 0, slot.at);
    op2::comes_after(slot.word, sides_all, sides_0);
    op2::together(change_sum);
    if (!slot.busy()) return;
    while (slot.busy()) {
        const auto e = slot.element<2>(), k = slot.number<2>();
        OP2_ELEMENT(e);
        auto speed_arg = op2::load<user::speed_view>(speed, e);
        auto q_arg = op2::load_maybe<user::q_view>(q, sides_all);
        auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
        slot = each.behind(slot);
        const auto sides_all_next = op2::targets<2>(sides, each.rows, slot.at);
        const auto sides_0_next = op2::target(sides, each.rows, 0, slot.at);
        op2::together(speed_arg, q_arg);
        const auto near = op2::u32(op2::number(near_numbers, sides_0));
        user::upwind(speed_arg, op2::maybe(sides_all, q_arg), op2::maybe(sides_0, near), inflow,
            op2::each_mut(change_arg));
        op2::keep_of<op2::Inc, user::change_view>(change_sum, k, 0, change_arg);
        sides_all = sides_all_next;
        sides_0 = sides_0_next;
    }
    op2::store_own<user::change_view>(change, target, each.side_by_side(), change_sum);
}

// Combines `change` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_gather_change(op2::Sums sums, double* change, const double* __restrict__ change_parts) {
    op2::gather<op2::Inc, user::change_view>(sums, change, change_parts);
}
