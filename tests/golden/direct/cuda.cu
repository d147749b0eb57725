// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_q Aos
#define OP2_STRIDE_q 1
#define OP2_LAYOUT_qold Aos
#define OP2_STRIDE_qold 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void save_soln(const Arr<double, 4>& q, Arr<double, 4>& qold) {
    qold = q;
}

}  // namespace user

namespace user {

struct q_view : op2::View<Arr<double, 4>, op2::OP2_LAYOUT_q> {
    static __device__ op2::usize stride() { return OP2_STRIDE_q; }
};
struct qold_view : op2::View<Arr<double, 4>, op2::OP2_LAYOUT_qold> {
    static __device__ op2::usize stride() { return OP2_STRIDE_qold; }
};

}  // namespace user

// `save_soln` over `cells`:
//   q_arg: read(q)
//   qold_arg: write(qold)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
save_soln_global(op2::Range range, const double* __restrict__ q, double* qold) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto q_arg = op2::load<user::q_view>(q, e);
        user::qold_view::Value qold_arg;
        op2::together(q_arg);
        user::save_soln(q_arg, qold_arg);
        op2::store_own<user::qold_view>(qold, e, op2::side_by_side(range, p), qold_arg);
    }
}
