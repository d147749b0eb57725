// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_a Aos
#define OP2_STRIDE_a 1
#define OP2_MISS_a 0
#define OP2_LAYOUT_b Aos
#define OP2_STRIDE_b 1
#define OP2_MISS_b 0
#define OP2_LAYOUT_c Aos
#define OP2_STRIDE_c 1
#define OP2_MISS_c 0
#define OP2_LAYOUT_d Aos
#define OP2_STRIDE_d 1
#define OP2_MISS_d 0
#define OP2_ROWS_owner 1000

namespace user {

using namespace op2::types;

__device__ __forceinline__ void touch(u32 node, double& a, double& b, i32& c, Arr<float, 2>& d) {
    a = 2.0 * a;
    b = 1.0;
    c = op2::max(c, i32(node));
    d[0] = op2::min(d[0], 1.0f);
    d[1] = op2::min(d[1], 2.0f);
}

}  // namespace user

namespace user {

struct a_view : op2::View<double, op2::OP2_LAYOUT_a> {
    static __device__ op2::usize stride() { return OP2_STRIDE_a; }
    static __device__ bool misses() { return OP2_MISS_a; }
};
struct b_view : op2::View<double, op2::OP2_LAYOUT_b> {
    static __device__ op2::usize stride() { return OP2_STRIDE_b; }
    static __device__ bool misses() { return OP2_MISS_b; }
};
struct c_view : op2::View<i32, op2::OP2_LAYOUT_c> {
    static __device__ op2::usize stride() { return OP2_STRIDE_c; }
    static __device__ bool misses() { return OP2_MISS_c; }
};
struct d_view : op2::View<Arr<float, 2>, op2::OP2_LAYOUT_d> {
    static __device__ op2::usize stride() { return OP2_STRIDE_d; }
    static __device__ bool misses() { return OP2_MISS_d; }
};

}  // namespace user

// `touch` over `cells`:
//   node: idx(owner[0])
//   a_arg: rw(a, owner[0])
//   b_arg: write(b, owner[0])
//   c_arg: max(c, owner[0])
//   d_arg: min(d, owner[0])

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
touch_global(op2::Range range, double* a, double* b, op2::i32* c, float* d,
        const op2::u32* __restrict__ owner, const op2::u32* __restrict__ node_numbers) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto owner_0 = op2::target(owner, OP2_ROWS_owner, 0, e);
        auto a_arg = op2::load<user::a_view>(a, owner_0);
        user::b_view::Value b_arg;
        auto c_arg = op2::neutral<op2::Max, user::c_view::Value>();
        auto d_arg = op2::neutral<op2::Min, user::d_view::Value>();
        op2::together(a_arg);
        user::touch(op2::u32(op2::number(node_numbers, owner_0)), a_arg, b_arg, c_arg, d_arg);
        op2::store<user::a_view>(a, owner_0, a_arg);
        op2::store<user::b_view>(b, owner_0, b_arg);
        op2::combine<op2::Max, user::c_view>(c, owner_0, c_arg);
        op2::combine<op2::Min, user::d_view>(d, owner_0, d_arg);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
touch_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> owner_stage, double* a, double* b,
        op2::i32* c, float* d, const op2::u32* __restrict__ owner,
        const op2::u32* __restrict__ node_numbers) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto a_shared = arena.take<user::a_view>(owner_stage, block);
    const auto b_shared = arena.take<user::b_view>(owner_stage, block);
    const auto c_shared = arena.take<user::c_view>(owner_stage, block);
    const auto d_shared = arena.take<user::d_view>(owner_stage, block);
    const auto turn = blocks.turn(block);
    const auto colours = blocks.colours_of(block);
    op2::u32 owner_0_local = 0;
    owner_stage.find<1>(block, user::a_view::misses(), 0, owner_0_local);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        owner_stage.find_far<1>(block, 0, owner_0_local);
    }
    const auto a_rows = a_shared.rows();
    a_shared.fetch(a, a_rows);
    c_shared.clear<op2::Max>();
    d_shared.clear<op2::Min>();
    op2::OP2_READS::read();
    for (op2::u32 colour = 0; colour < colours; colour += 1) {
        if (turn == colour) {
            OP2_ELEMENT(e);
            const auto owner_0 = op2::target(owner, OP2_ROWS_owner, 0, e);
            auto a_arg = a_shared.load(owner_0_local);
            user::b_view::Value b_arg;
            auto c_arg = op2::neutral<op2::Max, user::c_view::Value>();
            auto d_arg = op2::neutral<op2::Min, user::d_view::Value>();
            op2::OP2_READS::together(a_arg);
            user::touch(op2::u32(op2::number(node_numbers, owner_0)), a_arg, b_arg, c_arg, d_arg);
            a_shared.store(owner_0_local, a_arg);
            b_shared.store(owner_0_local, b_arg);
            c_shared.combine<op2::Max>(owner_0_local, c_arg);
            d_shared.combine<op2::Min>(owner_0_local, d_arg);
        }
        __syncthreads();
    }
    a_shared.flush(a);
    __syncthreads();
    b_shared.flush(b);
    __syncthreads();
    c_shared.flush<op2::Max>(c);
    __syncthreads();
    d_shared.flush<op2::Min>(d);
}
