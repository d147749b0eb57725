// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_height Aos
#define OP2_STRIDE_height 1
#define OP2_SIZE_height 1000
#define OP2_LAYOUT_rise Aos
#define OP2_STRIDE_rise 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void slope(u32 me, const Table<float>& height, const u32& stride,
        float& rise) {
    const u32 number = height.number(me);
    rise = number < stride ? 0.0f : height.at(me) - height.at(height.nth(number - stride));
}

}  // namespace user

namespace user {

struct height_view : op2::View<float, op2::OP2_LAYOUT_height> {
    static __device__ op2::usize stride() { return OP2_STRIDE_height; }
};
struct rise_view : op2::View<float, op2::OP2_LAYOUT_rise> {
    static __device__ op2::usize stride() { return OP2_STRIDE_rise; }
};
using stride_value = u32;

}  // namespace user

// `slope` over `verts`:
//   me: idx()
//   height_arg: read(height, all)
//   stride: gbl_read(stride)
//   rise_arg: write(rise)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
slope_global(op2::Range range, const float* __restrict__ height, float* rise,
        const op2::u32* __restrict__ me_numbers, const op2::u32* __restrict__ height_arg_numbers,
        const op2::u32* __restrict__ height_arg_elements, const user::stride_value stride) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto height_arg = op2::table<user::height_view>(height, OP2_SIZE_height,
            height_arg_numbers, height_arg_elements);
        user::rise_view::Value rise_arg;
        user::slope(op2::u32(op2::number(me_numbers, e)), height_arg, stride, rise_arg);
        op2::store_own<user::rise_view>(rise, e, op2::side_by_side(range, p), rise_arg);
    }
}
