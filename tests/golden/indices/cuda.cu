// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_goal Aos
#define OP2_STRIDE_goal 1
#define OP2_MISS_goal 0
#define OP2_LAYOUT_corners Aos
#define OP2_STRIDE_corners 1
#define OP2_LAYOUT_next Aos
#define OP2_STRIDE_next 1
#define OP2_ROWS_beside 1000
#define OP2_ROWS_corners_2 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void reattach(u32 me, Arr<const u32*, 2> goal,
        const Arr<u32, 3>& corners, u32 tip, Arr<u32, 2>& next, u32& turns) {
    for (usize i = 0; i < 2; i += 1) {
        u32 chosen;
        {
            const u32 held = *goal[i];
            {
                bool decided = held != 4294967295u;
                if (decided) {
                    bool chosen_2;
                    {
                        const u32 other = held;
                        chosen_2 = other == me;
                    }
                    decided = chosen_2;
                }
                if (decided) {
                    chosen = 4294967295u;
                } else if (held != 4294967295u) {
                    const u32 other = held;
                    chosen = other;
                } else {
                    chosen = next[1 - i];
                }
            }
        }
        next[i] = chosen;
    }
    if (corners[0] == tip || next[0] == 4294967295u) {
        turns += 1;
    }
}

}  // namespace user

namespace user {

struct goal_view : op2::View<u32, op2::OP2_LAYOUT_goal> {
    static __device__ op2::usize stride() { return OP2_STRIDE_goal; }
    static __device__ bool misses() { return OP2_MISS_goal; }
};
struct corners_view : op2::View<Arr<u32, 3>, op2::OP2_LAYOUT_corners> {
    static __device__ op2::usize stride() { return OP2_STRIDE_corners; }
};
struct next_view : op2::View<Arr<u32, 2>, op2::OP2_LAYOUT_next> {
    static __device__ op2::usize stride() { return OP2_STRIDE_next; }
};
using turns_value = u32;

}  // namespace user

// `reattach` over `facets`:
//   me: idx()
//   goal_arg: read(goal, beside[..])
//   corners_arg: read(corners)
//   tip: idx(corners[2])
//   next_arg: rw(next)
//   turns: gbl_inc(turns)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
reattach_global(op2::Range range, const op2::u32* __restrict__ goal,
        const op2::u32* __restrict__ corners, op2::u32* next, const op2::u32* __restrict__ beside,
        const op2::u32* __restrict__ corners_2, const op2::u32* __restrict__ me_numbers,
        const op2::u32* __restrict__ tip_numbers, const op2::Reduced turns_reduced,
        const op2::Joining joining) {
    auto turns = op2::start<op2::Inc, user::turns_value>();
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto beside_all = op2::targets<2>(beside, OP2_ROWS_beside, e);
        const auto corners_2_2 = op2::target(corners_2, OP2_ROWS_corners_2, 2, e);
        auto goal_arg = op2::load<user::goal_view>(goal, beside_all);
        auto corners_arg = op2::load<user::corners_view>(corners, e);
        auto next_arg = op2::load<user::next_view>(next, e);
        op2::together(goal_arg, corners_arg, next_arg);
        user::reattach(op2::u32(op2::number(me_numbers, e)), op2::each_ref(goal_arg), corners_arg,
            op2::u32(op2::number(tip_numbers, corners_2_2)), next_arg, turns);
        op2::store_own<user::next_view>(next, e, op2::side_by_side(range, p), next_arg);
    }
    op2::reduce(joining, range.partials(), op2::reducing<op2::Inc>(turns, turns_reduced));
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
reattach_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> beside_stage,
        const op2::u32* __restrict__ goal, const op2::u32* __restrict__ corners, op2::u32* next,
        const op2::u32* __restrict__ beside, const op2::u32* __restrict__ corners_2,
        const op2::u32* __restrict__ me_numbers, const op2::u32* __restrict__ tip_numbers,
        const op2::Reduced turns_reduced, const op2::Joining joining) {
    auto turns = op2::start<op2::Inc, user::turns_value>();
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto goal_shared = arena.read<user::goal_view>(beside_stage, block, goal);
    op2::Arr<op2::u32, 2> beside_all{};
    beside_stage.find<2>(block, user::goal_view::misses(), 0, beside_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        beside_stage.find_far<2>(block, 0, beside_all);
    }
    const auto goal_rows = goal_shared.rows();
    goal_shared.fetch(goal, goal_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto corners_arg = op2::load_if<user::corners_view>(block.busy(), corners, e);
    auto next_arg = op2::load_if<user::next_view>(block.busy(), next, e);
    op2::together(corners_arg, next_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        const auto corners_2_2 = op2::target(corners_2, OP2_ROWS_corners_2, 2, e);
        auto goal_arg = goal_shared.load(beside_all);
        op2::OP2_READS::together(goal_arg);
        user::reattach(op2::u32(op2::number(me_numbers, e)), op2::each_ref(goal_arg), corners_arg,
            op2::u32(op2::number(tip_numbers, corners_2_2)), next_arg, turns);
        op2::store<user::next_view>(next, e, next_arg);
    }
    op2::reduce(joining, blocks.partials(block), op2::reducing<op2::Inc>(turns, turns_reduced));
}
