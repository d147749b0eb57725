// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_READS Staged
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_MISS_x 0
#define OP2_LAYOUT_y Aos
#define OP2_STRIDE_y 1
#define OP2_ROWS_pcell 1000
#define OP2_ENTRY_0 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void copy(const double& from, double& to) {
    to = from;
}

}  // namespace user

namespace user {

struct x_view : op2::View<double, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
    static __device__ bool misses() { return OP2_MISS_x; }
};
struct y_view : op2::View<double, op2::OP2_LAYOUT_y> {
    static __device__ op2::usize stride() { return OP2_STRIDE_y; }
};

}  // namespace user

// `copy` over `cells`:
//   from: read(x, self.level[3].pcell[(side + 1) % 4])
//   to: write(y)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
copy_global(op2::Range range, const double* __restrict__ x, double* y,
        const op2::u32* __restrict__ pcell) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto pcell_entry = op2::target(pcell, OP2_ROWS_pcell, OP2_ENTRY_0, e);
        auto from = op2::load<user::x_view>(x, pcell_entry);
        user::y_view::Value to;
        op2::together(from);
        user::copy(from, to);
        op2::store_own<user::y_view>(y, e, op2::side_by_side(range, p), to);
    }
}

// Blocks of one colour; what they change through maps is in shared memory.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
copy_staged(op2::Blocks blocks, op2::Stage<op2::OP2_READS> pcell_stage,
        const double* __restrict__ x, double* y, const op2::u32* __restrict__ pcell) {
    const auto block = blocks.block();
    const auto e = blocks.element(block);
    op2::Arena arena;
    const auto x_shared = arena.read<user::x_view>(pcell_stage, block, x);
    op2::u32 pcell_entry = 0;
    pcell_stage.find<1>(block, user::x_view::misses(), 0, pcell_entry);
    if (op2::OP2_READS::far(block)) {
        OP2_RARE;
        pcell_stage.find_far<1>(block, 0, pcell_entry);
    }
    const auto x_rows = x_shared.rows();
    x_shared.fetch(x, x_rows);
    op2::OP2_READS::read();
    if (block.busy()) {
        OP2_ELEMENT(e);
        auto from = x_shared.load(pcell_entry);
        user::y_view::Value to;
        op2::OP2_READS::together(from);
        user::copy(from, to);
        op2::store<user::y_view>(y, e, to);
    }
}
