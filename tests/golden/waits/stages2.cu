// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
#define OP2_MISS_q 0
#define OP2_LAYOUT_wall Aos
#define OP2_STRIDE_wall 1
#define OP2_MISS_wall 0
#define OP2_LAYOUT_normal Aos
#define OP2_STRIDE_normal 1
#define OP2_LAYOUT_res Aos
#define OP2_STRIDE_res 1
#define OP2_MISS_res 0
#define OP2_ROWS_ends 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void flow(Arr<const Arr<double, 2>*, 2> q, Arr<const i32*, 2> wall,
        const Arr<double, 3>& normal, Arr<double*, 2> res) {
    const Arr<double, 2> u = {{(*q[0])[1] / (*q[0])[0], (*q[1])[1] / (*q[1])[0]}};
    const double through = op2::sqrt(normal[0] * normal[0] + normal[1] * normal[1]
        + normal[2] * normal[2]);
    const bool at_wall = *wall[0] == 1 || *wall[1] == 1;
    const double flux = at_wall ? 0.0 : through * (u[0] + u[1]);
    *res[0] += flux;
    *res[1] -= flux;
}

}  // namespace user

namespace user {

struct q_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
    static __device__ bool misses() { return OP2_MISS_q; }
};
struct wall_view : op2::View<i32, op2::OP2_LAYOUT_wall> {
    static __device__ op2::usize stride() { return OP2_STRIDE_wall; }
    static __device__ bool misses() { return OP2_MISS_wall; }
};
struct normal_view : op2::View<Arr<double, 3>, op2::OP2_LAYOUT_normal> {
    static __device__ op2::usize stride() { return OP2_STRIDE_normal; }
};
struct res_view : op2::View<double, op2::OP2_LAYOUT_res> {
    static __device__ op2::usize stride() { return OP2_STRIDE_res; }
    static __device__ bool misses() { return OP2_MISS_res; }
};

}  // namespace user

namespace user {

__device__ __forceinline__ void flow_stage1(Arr<const i32*, 2> wall, bool& at_wall_kept) {
    const bool at_wall = *wall[0] == 1 || *wall[1] == 1;
    at_wall_kept = at_wall;
}

__device__ __forceinline__ void flow_stage2(Arr<const Arr<double, 2>*, 2> q,
        const Arr<double, 3>& normal, Arr<double*, 2> res, const bool& at_wall_kept) {
    const Arr<double, 2> u = {{(*q[0])[1] / (*q[0])[0], (*q[1])[1] / (*q[1])[0]}};
    const double through = op2::sqrt(normal[0] * normal[0] + normal[1] * normal[1]
        + normal[2] * normal[2]);
    const bool at_wall = at_wall_kept;
    const double flux = at_wall ? 0.0 : through * (u[0] + u[1]);
    *res[0] += flux;
    *res[1] -= flux;
}

}  // namespace user

namespace user {
namespace rooms {

using Of0 = Arr<double, 2>;
constexpr op2::usize at0 = 0;
using Of1 = bool;
constexpr op2::usize at1 = at0 + op2::room<Of0>;

}
}  // namespace user

// `flow` over `edges`:
//   q_arg: read(q, ends[..])
//   wall_arg: read(wall, ends[..])
//   normal_arg: read(normal)
//   res_arg: inc(res, ends[..])

// Blocks of one colour; what they change through maps is in shared memory. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
flow_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ q, const op2::i32* __restrict__ wall,
        const double* __restrict__ normal, double* res, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> ends_all{};
    ends_stage.find<2>(block, user::q_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<2>(block, 0, ends_all);
    }
    {
        op2::Arena arena;
        const auto wall_shared = arena.read<user::wall_view>(ends_stage, block, wall);
        const auto wall_rows = wall_shared.rows();
        wall_shared.fetch(wall, wall_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            OP2_ELEMENT(e);
            auto wall_arg = wall_shared.load(ends_all);
            user::rooms::Of1 left0{};
            op2::OP2_READS::together(wall_arg);
            user::flow_stage1(op2::each_ref(wall_arg), left0);
            op2::leave(kept, user::rooms::at1, block.p, left0);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto q_shared = arena.read<user::q_view>(ends_stage, block, q);
        const auto q_rows = q_shared.rows();
        q_shared.fetch(q, q_rows);
        if (block.busy()) OP2_ELEMENT(e);
        auto normal_arg = op2::load_if<user::normal_view>(block.busy(), normal, e);
        op2::together(normal_arg);
        op2::OP2_READS::read();
        if (block.busy()) {
            auto q_arg = q_shared.load(ends_all);
            auto res_arg = op2::neutral<op2::Inc, op2::Arr<user::res_view::Value, 2>>();
            const auto left0 = op2::fetch<user::rooms::Of1>(kept, user::rooms::at1, block.p);
            op2::OP2_READS::together(q_arg);
            user::flow_stage2(op2::each_ref(q_arg), normal_arg, op2::each_mut(res_arg), left0);
            op2::leave(kept, user::rooms::at0, block.p, res_arg);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto res_shared = arena.collect<user::res_view, 1, op2::Turned>(ends_stage, block);
        const auto ends_incoming = arena.incoming(ends_stage, block);
        op2::u32 res_rows = res_shared.rows(ends_incoming);
        op2::together(res_rows);
        ends_incoming.fetch();
        res_shared.expect(ends_incoming, res, res_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto res_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            res_shared.put(0, res_arg.at[0]);
        }
        op2::OP2_READS::collected();
        res_shared.flush<op2::Inc>(ends_incoming, res);
        __syncthreads();
    }
}

// All blocks at once; contributions go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
flow_staged_atomic(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ q, const op2::i32* __restrict__ wall,
        const double* __restrict__ normal, double* res, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> ends_all{};
    ends_stage.find<2>(block, user::q_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<2>(block, 0, ends_all);
    }
    {
        op2::Arena arena;
        const auto wall_shared = arena.read<user::wall_view>(ends_stage, block, wall);
        const auto wall_rows = wall_shared.rows();
        wall_shared.fetch(wall, wall_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            OP2_ELEMENT(e);
            auto wall_arg = wall_shared.load(ends_all);
            user::rooms::Of1 left0{};
            op2::OP2_READS::together(wall_arg);
            user::flow_stage1(op2::each_ref(wall_arg), left0);
            op2::leave(kept, user::rooms::at1 - user::rooms::at1, block.p, left0);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto q_shared = arena.read<user::q_view>(ends_stage, block, q);
        const auto q_rows = q_shared.rows();
        q_shared.fetch(q, q_rows);
        if (block.busy()) OP2_ELEMENT(e);
        auto normal_arg = op2::load_if<user::normal_view>(block.busy(), normal, e);
        op2::together(normal_arg);
        op2::OP2_READS::read();
        if (block.busy()) {
            auto q_arg = q_shared.load(ends_all);
            auto res_arg = op2::neutral<op2::Inc, op2::Arr<user::res_view::Value, 2>>();
            const auto left0 = op2::fetch<user::rooms::Of1>(kept,
                user::rooms::at1 - user::rooms::at1, block.p);
            op2::OP2_READS::together(q_arg);
            user::flow_stage2(op2::each_ref(q_arg), normal_arg, op2::each_mut(res_arg), left0);
            op2::atomic<op2::Inc, user::res_view>(res, ends_stage.target(block, ends_all), res_arg);
        }
        __syncthreads();
    }
}

// All blocks at once; contributions to targets of several blocks go by atomics. In stages.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
flow_combined(op2::Blocks blocks, op2::Stage<op2::OP2_READS> ends_stage, op2::Kept kept,
        const double* __restrict__ q, const op2::i32* __restrict__ wall,
        const double* __restrict__ normal, double* res, const op2::u32* __restrict__ ends) {
    const auto block = blocks.block_of_all();
    const auto e = blocks.element(block);
    op2::Arr<op2::u32, 2> ends_all{};
    ends_stage.find<2>(block, user::q_view::misses(), 0, ends_all);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        ends_stage.find_far<2>(block, 0, ends_all);
    }
    {
        op2::Arena arena;
        const auto wall_shared = arena.read<user::wall_view>(ends_stage, block, wall);
        const auto wall_rows = wall_shared.rows();
        wall_shared.fetch(wall, wall_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            OP2_ELEMENT(e);
            auto wall_arg = wall_shared.load(ends_all);
            user::rooms::Of1 left0{};
            op2::OP2_READS::together(wall_arg);
            user::flow_stage1(op2::each_ref(wall_arg), left0);
            op2::leave(kept, user::rooms::at1, block.p, left0);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto q_shared = arena.read<user::q_view>(ends_stage, block, q);
        const auto q_rows = q_shared.rows();
        q_shared.fetch(q, q_rows);
        if (block.busy()) OP2_ELEMENT(e);
        auto normal_arg = op2::load_if<user::normal_view>(block.busy(), normal, e);
        op2::together(normal_arg);
        op2::OP2_READS::read();
        if (block.busy()) {
            auto q_arg = q_shared.load(ends_all);
            auto res_arg = op2::neutral<op2::Inc, op2::Arr<user::res_view::Value, 2>>();
            const auto left0 = op2::fetch<user::rooms::Of1>(kept, user::rooms::at1, block.p);
            op2::OP2_READS::together(q_arg);
            user::flow_stage2(op2::each_ref(q_arg), normal_arg, op2::each_mut(res_arg), left0);
            op2::leave(kept, user::rooms::at0, block.p, res_arg);
        }
        __syncthreads();
    }
    {
        op2::Arena arena;
        const auto res_shared = arena.collect<user::res_view, 1, op2::Turned>(ends_stage, block);
        const auto ends_incoming = arena.incoming(ends_stage, block);
        op2::u32 res_rows = res_shared.rows(ends_incoming);
        op2::together(res_rows);
        ends_incoming.fetch();
        res_shared.expect(ends_incoming, res, res_rows);
        op2::OP2_READS::read();
        if (block.busy()) {
            const auto res_arg = op2::fetch<user::rooms::Of0>(kept, user::rooms::at0, block.p);
            res_shared.put(0, res_arg.at[0]);
        }
        op2::OP2_READS::collected();
        res_shared.flush_among<op2::Inc>(ends_incoming, res);
        __syncthreads();
    }
}
