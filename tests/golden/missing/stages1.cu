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

namespace user {

__device__ __forceinline__ void upwind_stage1(const double& speed, Arr<const double*, 2> q,
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
namespace rooms {

using Of0 = Arr<double, 2>;
constexpr op2::usize at0 = 0;

}
}  // namespace user

// `upwind` over `edges`:
//   speed_arg: read(speed)
//   q_arg: read(q, sides[..])
//   near: idx(sides[0])
//   inflow: gbl_read(inflow)
//   change_arg: inc(change, sides[..])

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage, op2::Kept kept,
        const double* __restrict__ speed, const double* __restrict__ q, double* change,
        const op2::u32* __restrict__ sides, const op2::u32* __restrict__ near_numbers,
        const user::inflow_value inflow) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> sides_all{};
    sides_stage.find<2>(block, user::q_view::misses(), 0, sides_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        sides_stage.find_far<2>(block, 0, sides_all);
    }
    {
        op2::Arena arena;
        const auto q_shared = arena.read<user::q_view>(sides_stage, block, q);
        const auto q_rows = q_shared.rows();
        q_shared.fetch(q, q_rows);
        if (block.busy()) OP2_ELEMENT(e);
        auto speed_arg = op2::load_if<user::speed_view>(block.busy(), speed, e);
        op2::together(speed_arg);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
            auto q_arg = q_shared.load_maybe(sides_all);
            auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
            const auto near = op2::u32(op2::number(near_numbers, sides_0));
            op2::OP2_READS::together(q_arg);
            user::upwind_stage1(speed_arg, op2::maybe_here<op2::OP2_READS>(sides_all, q_arg),
                op2::maybe(sides_0, near), inflow, op2::each_mut(change_arg));
            op2::leave(kept, user::rooms::at0, block.p, change_arg);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto change_shared = arena.collect<user::change_view, 2>(sides_stage, block);
        const auto sides_incoming = arena.incoming(sides_stage, block);
        op2::u32 change_rows = change_shared.rows(sides_incoming);
        op2::together(change_rows);
        sides_incoming.fetch();
        change_shared.expect(sides_incoming, change, change_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto change_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            change_shared.put(0, change_arg);
        }
        op2::OP2_READS::collected();
        change_shared.flush<op2::Inc>(sides_incoming, change);
        __syncthreads();
    }
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage, op2::Kept kept,
        const double* __restrict__ speed, const double* __restrict__ q, double* change,
        const op2::u32* __restrict__ sides, const op2::u32* __restrict__ near_numbers,
        const user::inflow_value inflow) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> sides_all{};
    sides_stage.find<2>(block, user::q_view::misses(), 0, sides_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        sides_stage.find_far<2>(block, 0, sides_all);
    }
    {
        op2::Arena arena;
        const auto q_shared = arena.read<user::q_view>(sides_stage, block, q);
        const auto q_rows = q_shared.rows();
        q_shared.fetch(q, q_rows);
        if (block.busy()) OP2_ELEMENT(e);
        auto speed_arg = op2::load_if<user::speed_view>(block.busy(), speed, e);
        op2::together(speed_arg);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
            auto q_arg = q_shared.load_maybe(sides_all);
            auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
            const auto near = op2::u32(op2::number(near_numbers, sides_0));
            op2::OP2_READS::together(q_arg);
            user::upwind_stage1(speed_arg, op2::maybe_here<op2::OP2_READS>(sides_all, q_arg),
                op2::maybe(sides_0, near), inflow, op2::each_mut(change_arg));
            op2::atomic<op2::Inc, user::change_view>(change, sides_stage.target(block, sides_all),
                change_arg);
        }
        __syncthreads();
    }
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
upwind_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage, op2::Kept kept,
        const double* __restrict__ speed, const double* __restrict__ q, double* change,
        const op2::u32* __restrict__ sides, const op2::u32* __restrict__ near_numbers,
        const user::inflow_value inflow) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> sides_all{};
    sides_stage.find<2>(block, user::q_view::misses(), 0, sides_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        sides_stage.find_far<2>(block, 0, sides_all);
    }
    {
        op2::Arena arena;
        const auto q_shared = arena.read<user::q_view>(sides_stage, block, q);
        const auto q_rows = q_shared.rows();
        q_shared.fetch(q, q_rows);
        if (block.busy()) OP2_ELEMENT(e);
        auto speed_arg = op2::load_if<user::speed_view>(block.busy(), speed, e);
        op2::together(speed_arg);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto sides_0 = op2::target(sides, OP2_ROWS_sides, 0, e);
            auto q_arg = q_shared.load_maybe(sides_all);
            auto change_arg = op2::neutral<op2::Inc, op2::Arr<user::change_view::Value, 2>>();
            const auto near = op2::u32(op2::number(near_numbers, sides_0));
            op2::OP2_READS::together(q_arg);
            user::upwind_stage1(speed_arg, op2::maybe_here<op2::OP2_READS>(sides_all, q_arg),
                op2::maybe(sides_0, near), inflow, op2::each_mut(change_arg));
            op2::leave(kept, user::rooms::at0, block.p, change_arg);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto change_shared = arena.collect<user::change_view, 2>(sides_stage, block);
        const auto sides_incoming = arena.incoming(sides_stage, block);
        op2::u32 change_rows = change_shared.rows(sides_incoming);
        op2::together(change_rows);
        sides_incoming.fetch();
        change_shared.expect(sides_incoming, change, change_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto change_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            change_shared.put(0, change_arg);
        }
        op2::OP2_READS::collected();
        change_shared.flush_among<op2::Inc>(sides_incoming, change);
        __syncthreads();
    }
}
