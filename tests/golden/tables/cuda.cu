// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_first Aos
#define OP2_STRIDE_first 1
#define OP2_LAYOUT_beside Aos
#define OP2_STRIDE_beside 1
#define OP2_SIZE_beside 1000
#define OP2_LAYOUT_area Aos
#define OP2_STRIDE_area 1
#define OP2_SIZE_area 1000
#define OP2_LAYOUT_patch Aos
#define OP2_STRIDE_patch 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void around(const u32& first, const Table<Arr<u32, 3>>& beside,
        const Table<double>& area, double& patch) {
    patch = 0.0;
    u32 next = first;
    while (true) {
        {
            const u32 held = next;
            if (held != 4294967295u) {
                const u32 facet = held;
                patch += area.at(facet);
                const u32 other = beside.at(facet)[1];
                next = other == first ? 4294967295u : other;
            } else {
                break;
            }
        }
    }
}

}  // namespace user

namespace user {

struct first_view : op2::View<u32, op2::OP2_LAYOUT_first> {
    static __device__ op2::usize stride() { return OP2_STRIDE_first; }
};
struct beside_view : op2::View<Arr<u32, 3>, op2::OP2_LAYOUT_beside> {
    static __device__ op2::usize stride() { return OP2_STRIDE_beside; }
};
struct area_view : op2::View<double, op2::OP2_LAYOUT_area> {
    static __device__ op2::usize stride() { return OP2_STRIDE_area; }
};
struct patch_view : op2::View<double, op2::OP2_LAYOUT_patch> {
    static __device__ op2::usize stride() { return OP2_STRIDE_patch; }
};

}  // namespace user

// `around` over `verts`:
//   first_arg: read(first)
//   beside_arg: read(beside, all)
//   area_arg: read(area, all)
//   patch_arg: write(patch)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
around_global(op2::Range range, const op2::u32* __restrict__ first,
        const op2::u32* __restrict__ beside, const double* __restrict__ area, double* patch) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto first_arg = op2::load<user::first_view>(first, e);
        const auto beside_arg = op2::table<user::beside_view>(beside, OP2_SIZE_beside);
        const auto area_arg = op2::table<user::area_view>(area, OP2_SIZE_area);
        user::patch_view::Value patch_arg;
        op2::together(first_arg);
        user::around(first_arg, beside_arg, area_arg, patch_arg);
        op2::store_own<user::patch_view>(patch, e, op2::side_by_side(range, p), patch_arg);
    }
}
