// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_MISS_x 0
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
#define OP2_MISS_q 0
#define OP2_LAYOUT_adt Aos
#define OP2_STRIDE_adt 1
#define OP2_MISS_adt 0
#define OP2_LAYOUT_res Aos
#define OP2_STRIDE_res 1
#define OP2_MISS_res 0
#define OP2_ROWS_pedge 1000
#define OP2_ROWS_pecell 1000
namespace user {
using namespace op2::types;
OP2_CONST double EPS = 0.5;
}

namespace user {

using namespace op2::types;

__device__ __forceinline__ double pressure(Arr<double, 4> q) {
    const double ri = 1.0 / q[0];
    return 0.4 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]));
}

__device__ __forceinline__ void res_calc(const Arr<double, 2>& x1, const Arr<double, 2>& x2,
        const Arr<double, 4>& q1, const Arr<double, 4>& q2, const double& adt1, const double& adt2,
        Arr<double, 4>& res1, Arr<double, 4>& res2) {
    const double dx = x1[0] - x2[0];
    const double dy = x1[1] - x2[1];
    const double p = pressure(q1) + pressure(q2);
    const double mu = 0.5 * (adt1 + adt2) * EPS;
    const Arr<double, 4> flux = {{mu * (q1[0] - q2[0]), p * dy, -p * dx, 0.0}};
    for (usize n = 0; n < 4; n += 1) {
        res1[n] += flux[n];
        res2[n] -= flux[n];
    }
}

}  // namespace user

namespace user {

struct x_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
    static __device__ bool misses() { return OP2_MISS_x; }
};
struct q_view : op2::View<Arr<double, 4>, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
    static __device__ bool misses() { return OP2_MISS_q; }
};
struct adt_view : op2::View<double, op2::OP2_LAYOUT_adt> {
    static __device__ op2::usize stride() { return OP2_STRIDE_adt; }
    static __device__ bool misses() { return OP2_MISS_adt; }
};
struct res_view : op2::View<Arr<double, 4>, op2::OP2_LAYOUT_res> {
    static __device__ op2::usize stride() { return OP2_STRIDE_res; }
    static __device__ bool misses() { return OP2_MISS_res; }
};

}  // namespace user

// `res_calc` over `self.edges`:
//   x1: read(self.x, self.pedge[0])
//   x2: read(self.x, self.pedge[1])
//   q1: read(self.q, self.pecell[0])
//   q2: read(self.q, self.pecell[1])
//   adt1: read(self.adt, self.pecell[0])
//   adt2: read(self.adt, self.pecell[1])
//   res1: inc(self.res, self.pecell[0])
//   res2: inc(self.res, self.pecell[1])

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_global(op2::Range range, const double* __restrict__ x, const double* __restrict__ q,
        const double* __restrict__ adt, double* res, const op2::u32* __restrict__ pedge,
        const op2::u32* __restrict__ pecell) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto pedge_0 = op2::target(pedge, OP2_ROWS_pedge, 0, e);
        const auto pedge_1 = op2::target(pedge, OP2_ROWS_pedge, 1, e);
        const auto pecell_0 = op2::target(pecell, OP2_ROWS_pecell, 0, e);
        const auto pecell_1 = op2::target(pecell, OP2_ROWS_pecell, 1, e);
        auto x1 = op2::load<user::x_view>(x, pedge_0);
        auto x2 = op2::load<user::x_view>(x, pedge_1);
        auto q1 = op2::load<user::q_view>(q, pecell_0);
        auto q2 = op2::load<user::q_view>(q, pecell_1);
        auto adt1 = op2::load<user::adt_view>(adt, pecell_0);
        auto adt2 = op2::load<user::adt_view>(adt, pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        op2::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        op2::combine<op2::Inc, user::res_view>(res, pecell_0, res1);
        op2::combine<op2::Inc, user::res_view>(res, pecell_1, res2);
    }
}

// All data in global memory, contributions by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_atomic(op2::Range range, const double* __restrict__ x, const double* __restrict__ q,
        const double* __restrict__ adt, double* res, const op2::u32* __restrict__ pedge,
        const op2::u32* __restrict__ pecell) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto pedge_0 = op2::target(pedge, OP2_ROWS_pedge, 0, e);
        const auto pedge_1 = op2::target(pedge, OP2_ROWS_pedge, 1, e);
        const auto pecell_0 = op2::target(pecell, OP2_ROWS_pecell, 0, e);
        const auto pecell_1 = op2::target(pecell, OP2_ROWS_pecell, 1, e);
        auto x1 = op2::load<user::x_view>(x, pedge_0);
        auto x2 = op2::load<user::x_view>(x, pedge_1);
        auto q1 = op2::load<user::q_view>(q, pecell_0);
        auto q2 = op2::load<user::q_view>(q, pecell_1);
        auto adt1 = op2::load<user::adt_view>(adt, pecell_0);
        auto adt2 = op2::load<user::adt_view>(adt, pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        op2::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        op2::atomic<op2::Inc, user::res_view>(res, pecell_0, res1);
        op2::atomic<op2::Inc, user::res_view>(res, pecell_1, res2);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> pedge_stage,
        op2::Stage<op2::OP2_READS> pecell_stage, const double* __restrict__ x,
        const double* __restrict__ q, const double* __restrict__ adt, double* res,
        const op2::u32* __restrict__ pedge, const op2::u32* __restrict__ pecell) {
    const auto block = blocks.block();
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(pedge_stage, block, x);
    const auto q_shared = arena.read<user::q_view>(pecell_stage, block, q);
    const auto adt_shared = arena.read<user::adt_view>(pecell_stage, block, adt);
    const auto res_shared = arena.collect<user::res_view, 1, op2::Turned>(pecell_stage, block);
    const auto pecell_incoming = arena.incoming(pecell_stage, block);
    op2::u32 res_rows = res_shared.rows(pecell_incoming);
    op2::together(res_rows);
    op2::u32 pedge_0 = 0;
    pedge_stage.find<2>(block, user::x_view::misses(), 0, pedge_0);
    op2::u32 pedge_1 = 0;
    pedge_stage.find<2>(block, user::x_view::misses(), 1, pedge_1);
    op2::u32 pecell_0 = 0;
    pecell_stage.find<2>(block, user::q_view::misses(), 0, pecell_0);
    op2::u32 pecell_1 = 0;
    pecell_stage.find<2>(block, user::q_view::misses(), 1, pecell_1);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        pedge_stage.find_far<2>(block, 0, pedge_0);
        pedge_stage.find_far<2>(block, 1, pedge_1);
        pecell_stage.find_far<2>(block, 0, pecell_0);
        pecell_stage.find_far<2>(block, 1, pecell_1);
    }
    const auto x_rows = x_shared.rows();
    const auto q_rows = q_shared.rows();
    const auto adt_rows = adt_shared.rows();
    pecell_incoming.fetch();
    x_shared.fetch(x, x_rows);
    q_shared.fetch(q, q_rows);
    adt_shared.fetch(adt, adt_rows);
    res_shared.expect(pecell_incoming, res, res_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(blocks.element(block));
        auto x1 = x_shared.load(pedge_0);
        auto x2 = x_shared.load(pedge_1);
        auto q1 = q_shared.load(pecell_0);
        auto q2 = q_shared.load(pecell_1);
        auto adt1 = adt_shared.load(pecell_0);
        auto adt2 = adt_shared.load(pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        op2::OP2_READS::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        res_shared.put(0, res1);
    }
    op2::OP2_READS::collected();
    res_shared.flush<op2::Inc>(pecell_incoming, res);
}

// All blocks at once; contributions to targets of several blocks go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> pedge_stage,
        op2::Stage<op2::OP2_READS> pecell_stage, const double* __restrict__ x,
        const double* __restrict__ q, const double* __restrict__ adt, double* res,
        const op2::u32* __restrict__ pedge, const op2::u32* __restrict__ pecell) {
    const auto block = blocks.block_of_all();
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(pedge_stage, block, x);
    const auto q_shared = arena.read<user::q_view>(pecell_stage, block, q);
    const auto adt_shared = arena.read<user::adt_view>(pecell_stage, block, adt);
    const auto res_shared = arena.collect<user::res_view, 1, op2::Turned>(pecell_stage, block);
    const auto pecell_incoming = arena.incoming(pecell_stage, block);
    op2::u32 res_rows = res_shared.rows(pecell_incoming);
    op2::together(res_rows);
    op2::u32 pedge_0 = 0;
    pedge_stage.find<2>(block, user::x_view::misses(), 0, pedge_0);
    op2::u32 pedge_1 = 0;
    pedge_stage.find<2>(block, user::x_view::misses(), 1, pedge_1);
    op2::u32 pecell_0 = 0;
    pecell_stage.find<2>(block, user::q_view::misses(), 0, pecell_0);
    op2::u32 pecell_1 = 0;
    pecell_stage.find<2>(block, user::q_view::misses(), 1, pecell_1);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        pedge_stage.find_far<2>(block, 0, pedge_0);
        pedge_stage.find_far<2>(block, 1, pedge_1);
        pecell_stage.find_far<2>(block, 0, pecell_0);
        pecell_stage.find_far<2>(block, 1, pecell_1);
    }
    const auto x_rows = x_shared.rows();
    const auto q_rows = q_shared.rows();
    const auto adt_rows = adt_shared.rows();
    pecell_incoming.fetch();
    x_shared.fetch(x, x_rows);
    q_shared.fetch(q, q_rows);
    adt_shared.fetch(adt, adt_rows);
    res_shared.expect(pecell_incoming, res, res_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(blocks.element(block));
        auto x1 = x_shared.load(pedge_0);
        auto x2 = x_shared.load(pedge_1);
        auto q1 = q_shared.load(pecell_0);
        auto q2 = q_shared.load(pecell_1);
        auto adt1 = adt_shared.load(pecell_0);
        auto adt2 = adt_shared.load(pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        op2::OP2_READS::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        res_shared.put(0, res1);
    }
    op2::OP2_READS::collected();
    res_shared.flush_among<op2::Inc>(pecell_incoming, res);
}

// All blocks at once; contributions to targets of other blocks are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_tiled(op2::Blocks blocks, op2::Stage<op2::OP2_READS> pedge_stage,
        op2::Stage<op2::OP2_READS> pecell_stage, const double* __restrict__ x,
        const double* __restrict__ q, const double* __restrict__ adt, double* res,
        const op2::u32* __restrict__ pedge, const op2::u32* __restrict__ pecell,
        double* res_parts) {
    const auto block = blocks.block_of_all();
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(pedge_stage, block, x);
    const auto q_shared = arena.read<user::q_view>(pecell_stage, block, q);
    const auto adt_shared = arena.read<user::adt_view>(pecell_stage, block, adt);
    const auto res_shared = arena.collect<user::res_view, 1, op2::Turned>(pecell_stage, block);
    const auto pecell_incoming = arena.incoming(pecell_stage, block);
    op2::u32 res_rows = res_shared.rows(pecell_incoming);
    op2::together(res_rows);
    op2::u32 pedge_0 = 0;
    pedge_stage.find<2>(block, user::x_view::misses(), 0, pedge_0);
    op2::u32 pedge_1 = 0;
    pedge_stage.find<2>(block, user::x_view::misses(), 1, pedge_1);
    op2::u32 pecell_0 = 0;
    pecell_stage.find<2>(block, user::q_view::misses(), 0, pecell_0);
    op2::u32 pecell_1 = 0;
    pecell_stage.find<2>(block, user::q_view::misses(), 1, pecell_1);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        pedge_stage.find_far<2>(block, 0, pedge_0);
        pedge_stage.find_far<2>(block, 1, pedge_1);
        pecell_stage.find_far<2>(block, 0, pecell_0);
        pecell_stage.find_far<2>(block, 1, pecell_1);
    }
    const auto x_rows = x_shared.rows();
    const auto q_rows = q_shared.rows();
    const auto adt_rows = adt_shared.rows();
    pecell_incoming.fetch();
    x_shared.fetch(x, x_rows);
    q_shared.fetch(q, q_rows);
    adt_shared.fetch(adt, adt_rows);
    res_shared.expect(pecell_incoming, res, res_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(blocks.element(block));
        auto x1 = x_shared.load(pedge_0);
        auto x2 = x_shared.load(pedge_1);
        auto q1 = q_shared.load(pecell_0);
        auto q2 = q_shared.load(pecell_1);
        auto adt1 = adt_shared.load(pecell_0);
        auto adt2 = adt_shared.load(pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        op2::OP2_READS::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        res_shared.put(0, res1);
    }
    op2::OP2_READS::collected();
    res_shared.flush_apart<op2::Inc>(pecell_incoming, res, res_parts);
}

// All data in global memory; contributions through maps are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_scatter(op2::Range range, const double* __restrict__ x, const double* __restrict__ q,
        const double* __restrict__ adt, double* res, const op2::u32* __restrict__ pedge,
        const op2::u32* __restrict__ pecell, double* res_parts) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto pedge_0 = op2::target(pedge, OP2_ROWS_pedge, 0, e);
        const auto pedge_1 = op2::target(pedge, OP2_ROWS_pedge, 1, e);
        const auto pecell_0 = op2::target(pecell, OP2_ROWS_pecell, 0, e);
        const auto pecell_1 = op2::target(pecell, OP2_ROWS_pecell, 1, e);
        auto x1 = op2::load<user::x_view>(x, pedge_0);
        auto x2 = op2::load<user::x_view>(x, pedge_1);
        auto q1 = op2::load<user::q_view>(q, pecell_0);
        auto q2 = op2::load<user::q_view>(q, pecell_1);
        auto adt1 = op2::load<user::adt_view>(adt, pecell_0);
        auto adt2 = op2::load<user::adt_view>(adt, pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        op2::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        op2::scatter<user::res_view>(res_parts, range.rows, 2, 0, p, res1);
        op2::scatter<user::res_view>(res_parts, range.rows, 2, 1, p, res2);
    }
}

// A thread for each target runs all elements that contribute to it.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_per_target(op2::PerTarget each, const double* __restrict__ x, const double* __restrict__ q,
        const double* __restrict__ adt, double* res, const op2::u32* __restrict__ pedge,
        const op2::u32* __restrict__ pecell) {
    const auto target = each.target();
    auto slot = each.first();
    auto res_sum = op2::load_if<user::res_view>(each.busy(), res, target);
    auto pedge_0 = op2::target(pedge, each.rows, 0, slot.at);
    auto pedge_1 = op2::target(pedge, each.rows, 1, slot.at);
    auto pecell_0 = op2::target(pecell, each.rows, 0, slot.at);
    auto pecell_1 = op2::target(pecell, each.rows, 1, slot.at);
    op2::comes_after(slot.word, pedge_0, pedge_1, pecell_0, pecell_1);
    op2::together(res_sum);
    if (!slot.busy()) return;
    while (slot.busy()) {
        const auto e = slot.element<2>(), k = slot.number<2>();
        OP2_ELEMENT(e);
        auto x1 = op2::load<user::x_view>(x, pedge_0);
        auto x2 = op2::load<user::x_view>(x, pedge_1);
        auto q1 = op2::load<user::q_view>(q, pecell_0);
        auto q2 = op2::load<user::q_view>(q, pecell_1);
        auto adt1 = op2::load<user::adt_view>(adt, pecell_0);
        auto adt2 = op2::load<user::adt_view>(adt, pecell_1);
        auto res1 = op2::neutral<op2::Inc, user::res_view::Value>();
        auto res2 = op2::neutral<op2::Inc, user::res_view::Value>();
        slot = each.behind(slot);
        const auto pedge_0_next = op2::target(pedge, each.rows, 0, slot.at);
        const auto pedge_1_next = op2::target(pedge, each.rows, 1, slot.at);
        const auto pecell_0_next = op2::target(pecell, each.rows, 0, slot.at);
        const auto pecell_1_next = op2::target(pecell, each.rows, 1, slot.at);
        op2::together(x1, x2, q1, q2, adt1, adt2);
        user::res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2);
        op2::keep_turned<op2::Inc, user::res_view>(res_sum, true, k == 1, res1);
        pedge_0 = pedge_0_next;
        pedge_1 = pedge_1_next;
        pecell_0 = pecell_0_next;
        pecell_1 = pecell_1_next;
    }
    op2::store_own<user::res_view>(res, target, each.side_by_side(), res_sum);
}

// Combines `res` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
res_calc_gather_res(op2::Sums sums, double* res, const double* __restrict__ res_parts) {
    op2::gather<op2::Inc, user::res_view>(sums, res, res_parts);
}
