// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_FLOAT double
#define OP2_LAYOUT_f Aos
#define OP2_STRIDE_f 1
#define OP2_LAYOUT_u Aos
#define OP2_STRIDE_u 1

namespace user {

using namespace op2::types;
typedef OP2_FLOAT F;

__device__ __forceinline__ void step(const F& f, F& u, F& change) {
    const F new_ = F(0.25) * f;
    change = op2::max(change, op2::abs(new_ - u));
    u = new_;
}

}  // namespace user

namespace user {

struct f_view : op2::View<F, op2::OP2_LAYOUT_f> {
    static __device__ op2::usize stride() { return OP2_STRIDE_f; }
};
struct u_view : op2::View<F, op2::OP2_LAYOUT_u> {
    static __device__ op2::usize stride() { return OP2_STRIDE_u; }
};
using change_value = F;

}  // namespace user

// `step` over `nodes`:
//   f_arg: read(f)
//   u_arg: rw(u)
//   change: gbl_max(change)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
step_global(op2::Range range, const user::F* __restrict__ f, user::F* u,
        const op2::Reduced change_reduced, const op2::Joining joining) {
    auto change = op2::start<op2::Max, user::change_value>();
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto f_arg = op2::load<user::f_view>(f, e);
        auto u_arg = op2::load<user::u_view>(u, e);
        op2::together(f_arg, u_arg);
        user::step(f_arg, u_arg, change);
        op2::store_own<user::u_view>(u, e, op2::side_by_side(range, p), u_arg);
    }
    op2::reduce(joining, range.partials(), op2::reducing<op2::Max>(change, change_reduced));
}
