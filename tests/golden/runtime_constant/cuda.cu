// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
namespace user {
using namespace op2::types;
OP2_CONST double GAMMA = 0.5;
OP2_CONST Arr<double, 4> QINF = {{0.5, 0.5, 0.5, 0.5}};
}

namespace user {

using namespace op2::types;

__device__ __forceinline__ double far(usize n) {
    return QINF[n];
}

__device__ __forceinline__ void reset(Arr<double, 4>& q) {
    for (usize n = 0; n < 4; n += 1) {
        q[n] = far(n) + GAMMA;
    }
}

}  // namespace user

namespace user {

struct q_view : op2::View<Arr<double, 4>, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
};

}  // namespace user

// `reset` over `cells`:
//   q_arg: write(q)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
reset_global(op2::Range range, double* q) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        user::q_view::Value q_arg;
        user::reset(q_arg);
        op2::store_own<user::q_view>(q, e, op2::side_by_side(range, p), q_arg);
    }
}
