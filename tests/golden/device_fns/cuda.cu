// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_v Aos
#define OP2_STRIDE_v 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ double square(double x) {
    return x * x;
}

__device__ __forceinline__ double length(double x, double y) {
    return op2::sqrt(square(x) + square(y));
}

__device__ __forceinline__ void scale(Arr<double, 2>& v, double factor) {
    for (usize n = 0; n < 2; n += 1) {
        v[n] *= factor;
    }
}

__device__ __forceinline__ void normalise(Arr<double, 2>& v) {
    const double l = length(v[0], v[1]);
    if (square(l) > op2::Limits<double>::epsilon()) {
        scale(v, 1.0 / l);
    }
}

}  // namespace user

namespace user {

struct v_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_v> {
    static __device__ op2::usize stride() { return OP2_STRIDE_v; }
};

}  // namespace user

// `normalise` over `nodes`:
//   v_arg: rw(v)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
normalise_global(op2::Range range, double* v) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto v_arg = op2::load<user::v_view>(v, e);
        op2::together(v_arg);
        user::normalise(v_arg);
        op2::store_own<user::v_view>(v, e, op2::side_by_side(range, p), v_arg);
    }
}
