// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_bound Aos
#define OP2_STRIDE_bound 1
#define OP2_MISS_bound 1
#define OP2_HAS_bound 1
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
#define OP2_ROWS_sides 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void limit(const double* bound, double& q) {
    if (bound != nullptr) {
        const double& bound_2 = *bound;
        q = op2::min(q, bound_2);
    }
}

}  // namespace user

namespace user {

struct bound_view : op2::View<double, op2::OP2_LAYOUT_bound> {
    static __device__ op2::usize stride() { return OP2_STRIDE_bound; }
    static __device__ bool misses() { return OP2_MISS_bound; }
};
struct q_view : op2::View<double, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
};

}  // namespace user

// `limit` over `edges`:
//   bound_arg: opt(limited, read(bound, sides[1]))
//   q_arg: rw(q)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
limit_global(op2::Range range, const double* __restrict__ bound, double* q,
        const op2::u32* __restrict__ sides) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto sides_1 = op2::target_if(OP2_HAS_bound, sides, OP2_ROWS_sides, 1, e);
        auto bound_arg = op2::load_maybe<user::bound_view>(bound,
            op2::only<op2::missing>(OP2_HAS_bound, sides_1));
        auto q_arg = op2::load<user::q_view>(q, e);
        op2::together(bound_arg, q_arg);
        user::limit(op2::maybe(op2::only<op2::missing>(OP2_HAS_bound, sides_1), bound_arg), q_arg);
        op2::store_own<user::q_view>(q, e, op2::side_by_side(range, p), q_arg);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
limit_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> sides_stage,
        const double* __restrict__ bound, double* q, const op2::u32* __restrict__ sides) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto bound_shared = arena.read<user::bound_view>(sides_stage, block, bound,
        OP2_HAS_bound);
    op2::u32 sides_1 = 0;
    if (OP2_HAS_bound) sides_stage.find<1>(block, user::bound_view::misses(), 0, sides_1);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        if (OP2_HAS_bound) sides_stage.find_far<1>(block, 0, sides_1);
    }
    const auto bound_rows = bound_shared.rows();
    bound_shared.fetch(bound, bound_rows);
    if (block.busy()) OP2_ELEMENT(e);
    auto q_arg = op2::load_if<user::q_view>(block.busy(), q, e);
    op2::together(q_arg);
    op2::OP2_READS::read();
    if (block.busy()) {
        auto bound_arg = bound_shared.load_maybe(op2::only<op2::OP2_READS::missing>(OP2_HAS_bound,
            sides_1));
        op2::OP2_READS::together(bound_arg);
        user::limit(op2::maybe_here<op2::OP2_READS>(op2::only<op2::OP2_READS::missing>(OP2_HAS_bound,
            sides_1),
            bound_arg),
            q_arg);
        op2::store<user::q_view>(q, e, q_arg);
    }
}
