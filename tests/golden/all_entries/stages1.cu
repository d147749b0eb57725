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

namespace user {

__device__ __forceinline__ void area_stage1(Arr<const Arr<double, 2>*, 3> x, double& area_2,
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
namespace rooms {

using Of0 = Arr<double, 3>;
constexpr op2::usize at0 = 0;

}
}  // namespace user

// `area` over `triangles`:
//   x_arg: read(x, corners[..])
//   area_2: write(areas)
//   shares_arg: inc(shares, corners[..])

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> corners_stage, op2::Kept kept,
        const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 3> corners_all{};
    corners_stage.find<3>(block, user::x_view::misses(), 0, corners_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        corners_stage.find_far<3>(block, 0, corners_all);
    }
    {
        op2::Arena arena;
        const auto x_shared = arena.read<user::x_view>(corners_stage, block, x);
        const auto x_rows = x_shared.rows();
        x_shared.fetch(x, x_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            OP2_ELEMENT(e);
            auto x_arg = x_shared.load(corners_all);
            user::areas_view::Value area_2;
            auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
            op2::OP2_READS::together(x_arg);
            user::area_stage1(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
            op2::store<user::areas_view>(areas, e, area_2);
            op2::leave(kept, user::rooms::at0, block.p, shares_arg);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto shares_shared = arena.collect<user::shares_view, 3>(corners_stage, block);
        const auto corners_incoming = arena.incoming(corners_stage, block);
        op2::u32 shares_rows = shares_shared.rows(corners_incoming);
        op2::together(shares_rows);
        corners_incoming.fetch();
        shares_shared.expect(corners_incoming, shares, shares_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto shares_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            shares_shared.put(0, shares_arg);
        }
        op2::OP2_READS::collected();
        shares_shared.flush<op2::Inc>(corners_incoming, shares);
        __syncthreads();
    }
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> corners_stage, op2::Kept kept,
        const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 3> corners_all{};
    corners_stage.find<3>(block, user::x_view::misses(), 0, corners_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        corners_stage.find_far<3>(block, 0, corners_all);
    }
    {
        op2::Arena arena;
        const auto x_shared = arena.read<user::x_view>(corners_stage, block, x);
        const auto x_rows = x_shared.rows();
        x_shared.fetch(x, x_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            OP2_ELEMENT(e);
            auto x_arg = x_shared.load(corners_all);
            user::areas_view::Value area_2;
            auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
            op2::OP2_READS::together(x_arg);
            user::area_stage1(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
            op2::store<user::areas_view>(areas, e, area_2);
            op2::atomic<op2::Inc, user::shares_view>(shares,
                corners_stage.target(block, corners_all), shares_arg);
        }
        __syncthreads();
    }
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
area_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> corners_stage, op2::Kept kept,
        const double* __restrict__ x, double* areas, double* shares,
        const op2::u32* __restrict__ corners) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 3> corners_all{};
    corners_stage.find<3>(block, user::x_view::misses(), 0, corners_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        corners_stage.find_far<3>(block, 0, corners_all);
    }
    {
        op2::Arena arena;
        const auto x_shared = arena.read<user::x_view>(corners_stage, block, x);
        const auto x_rows = x_shared.rows();
        x_shared.fetch(x, x_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            OP2_ELEMENT(e);
            auto x_arg = x_shared.load(corners_all);
            user::areas_view::Value area_2;
            auto shares_arg = op2::neutral<op2::Inc, op2::Arr<user::shares_view::Value, 3>>();
            op2::OP2_READS::together(x_arg);
            user::area_stage1(op2::each_ref(x_arg), area_2, op2::each_mut(shares_arg));
            op2::store<user::areas_view>(areas, e, area_2);
            op2::leave(kept, user::rooms::at0, block.p, shares_arg);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto shares_shared = arena.collect<user::shares_view, 3>(corners_stage, block);
        const auto corners_incoming = arena.incoming(corners_stage, block);
        op2::u32 shares_rows = shares_shared.rows(corners_incoming);
        op2::together(shares_rows);
        corners_incoming.fetch();
        shares_shared.expect(corners_incoming, shares, shares_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto shares_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            shares_shared.put(0, shares_arg);
        }
        op2::OP2_READS::collected();
        shares_shared.flush_among<op2::Inc>(corners_incoming, shares);
        __syncthreads();
    }
}
