// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_MISS_x 0
#define OP2_LAYOUT_areas Aos
#define OP2_STRIDE_areas 1
#define OP2_LAYOUT_shares Aos
#define OP2_STRIDE_shares 1
#define OP2_MISS_shares 0
#define OP2_ROWS_corners 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void area(Arr<const Arr<double, 2>*, 3> x, double& area_2,
        Arr<double*, 3> shares) {
    const double cross = ((*x[1])[0] - (*x[0])[0]) * ((*x[2])[1] - (*x[0])[1])
        - ((*x[2])[0] - (*x[0])[0]) * ((*x[1])[1] - (*x[0])[1]);
    area_2 = 0.5 * op2::abs(cross);
    for (usize n = 0; n < 3; n += 1) {
        *shares[n] += area_2 / 3.0;
    }
}

}  // namespace user

namespace user {

struct x_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
    static __device__ bool misses() { return OP2_MISS_x; }
};
struct areas_view : op2::View<double, op2::OP2_LAYOUT_areas> {
    static __device__ op2::usize stride() { return OP2_STRIDE_areas; }
};
struct shares_view : op2::View<double, op2::OP2_LAYOUT_shares> {
    static __device__ op2::usize stride() { return OP2_STRIDE_shares; }
    static __device__ bool misses() { return OP2_MISS_shares; }
};

}  // namespace user

// `area` over `triangles`:
//   x_arg: read(x, corners[..])
//   area_2: write(areas)
//   shares_arg: inc(shares, corners[..])

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_global(op2::Range range, const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto corners_all = op2::targets<3>(corners, OP2_ROWS_corners, e);
        auto x_arg = op2::load<user::x_view>(x, corners_all);
        user::areas_view::Value area_2;
        auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
        op2::together(x_arg);
        user::area(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
        op2::store_own<user::areas_view>(areas, e, op2::side_by_side(range, p), area_2);
        op2::combine<op2::Inc, user::shares_view>(shares, corners_all, shares_arg);
    }
}

// All data in global memory, contributions by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_atomic(op2::Range range, const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto corners_all = op2::targets<3>(corners, OP2_ROWS_corners, e);
        auto x_arg = op2::load<user::x_view>(x, corners_all);
        user::areas_view::Value area_2;
        auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
        op2::together(x_arg);
        user::area(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
        op2::store_own<user::areas_view>(areas, e, op2::side_by_side(range, p), area_2);
        op2::atomic<op2::Inc, user::shares_view>(shares, corners_all, shares_arg);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> corners_stage,
        const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(corners_stage, block, x);
    const auto shares_shared = arena.collect<user::shares_view, 3>(corners_stage, block);
    const auto corners_incoming = arena.incoming(corners_stage, block);
    op2::u32 shares_rows = shares_shared.rows(corners_incoming);
    op2::together(shares_rows);
    op2::Arr<op2::u32, 3> corners_all{};
    corners_stage.find<3>(block, user::x_view::misses(), 0, corners_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        corners_stage.find_far<3>(block, 0, corners_all);
    }
    const auto x_rows = x_shared.rows();
    corners_incoming.fetch();
    x_shared.fetch(x, x_rows);
    shares_shared.expect(corners_incoming, shares, shares_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        auto x_arg = x_shared.load(corners_all);
        user::areas_view::Value area_2;
        auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
        op2::OP2_READS::together(x_arg);
        user::area(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
        op2::store<user::areas_view>(areas, e, area_2);
        shares_shared.put(0, shares_arg);
    }
    op2::OP2_READS::collected();
    shares_shared.flush<op2::Inc>(corners_incoming, shares);
}

// All blocks at once; contributions to targets of several blocks go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> corners_stage,
        const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(corners_stage, block, x);
    const auto shares_shared = arena.collect<user::shares_view, 3>(corners_stage, block);
    const auto corners_incoming = arena.incoming(corners_stage, block);
    op2::u32 shares_rows = shares_shared.rows(corners_incoming);
    op2::together(shares_rows);
    op2::Arr<op2::u32, 3> corners_all{};
    corners_stage.find<3>(block, user::x_view::misses(), 0, corners_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        corners_stage.find_far<3>(block, 0, corners_all);
    }
    const auto x_rows = x_shared.rows();
    corners_incoming.fetch();
    x_shared.fetch(x, x_rows);
    shares_shared.expect(corners_incoming, shares, shares_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        auto x_arg = x_shared.load(corners_all);
        user::areas_view::Value area_2;
        auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
        op2::OP2_READS::together(x_arg);
        user::area(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
        op2::store<user::areas_view>(areas, e, area_2);
        shares_shared.put(0, shares_arg);
    }
    op2::OP2_READS::collected();
    shares_shared.flush_among<op2::Inc>(corners_incoming, shares);
}

// All blocks at once; contributions to targets of other blocks are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_tiled(op2::Blocks blocks, op2::Stage<op2::OP2_READS> corners_stage,
        const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners, double* shares_parts) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(corners_stage, block, x);
    const auto shares_shared = arena.collect<user::shares_view, 3>(corners_stage, block);
    const auto corners_incoming = arena.incoming(corners_stage, block);
    op2::u32 shares_rows = shares_shared.rows(corners_incoming);
    op2::together(shares_rows);
    op2::Arr<op2::u32, 3> corners_all{};
    corners_stage.find<3>(block, user::x_view::misses(), 0, corners_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        corners_stage.find_far<3>(block, 0, corners_all);
    }
    const auto x_rows = x_shared.rows();
    corners_incoming.fetch();
    x_shared.fetch(x, x_rows);
    shares_shared.expect(corners_incoming, shares, shares_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        auto x_arg = x_shared.load(corners_all);
        user::areas_view::Value area_2;
        auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
        op2::OP2_READS::together(x_arg);
        user::area(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
        op2::store<user::areas_view>(areas, e, area_2);
        shares_shared.put(0, shares_arg);
    }
    op2::OP2_READS::collected();
    shares_shared.flush_apart<op2::Inc>(corners_incoming, shares, shares_parts);
}

// All data in global memory; contributions through maps are redirected.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_scatter(op2::Range range, const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners, double* shares_parts) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto corners_all = op2::targets<3>(corners, OP2_ROWS_corners, e);
        auto x_arg = op2::load<user::x_view>(x, corners_all);
        user::areas_view::Value area_2;
        auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
        op2::together(x_arg);
        user::area(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
        op2::store_own<user::areas_view>(areas, e, op2::side_by_side(range, p), area_2);
        op2::scatter<user::shares_view>(shares_parts, range.rows, 3, 0, p, shares_arg);
    }
}

// Combines `shares` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_gather_shares(op2::Sums sums, double* shares, const double* __restrict__ shares_parts) {
    op2::gather<op2::Inc, user::shares_view>(sums, shares, shares_parts);
}
