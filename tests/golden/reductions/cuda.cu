// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_new_ Aos
#define OP2_STRIDE_new_ 1
#define OP2_LAYOUT_old Aos
#define OP2_STRIDE_old 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void change(const Arr<double, 2>& new_, const Arr<double, 2>& old,
        const double& scale, double& sum, double& low, ArgMax<double, u32>& worst, u32 cell) {
    for (usize n = 0; n < 2; n += 1) {
        const double d = scale * (new_[n] - old[n]);
        sum += d * d;
        low = op2::min(low, d);
        worst.update(d * d, cell);
    }
}

}  // namespace user

namespace user {

struct new_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_new_> {
    static __device__ op2::usize stride() { return OP2_STRIDE_new_; }
};
struct old_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_old> {
    static __device__ op2::usize stride() { return OP2_STRIDE_old; }
};
using scale_value = double;
using sum_value = double;
using low_value = double;
using worst_value = ArgMax<double, u32>;

}  // namespace user

// `change` over `cells`:
//   new_arg: read(new)
//   old_arg: read(old)
//   scale: gbl_read(scale)
//   sum: gbl_inc(sum)
//   low: gbl_min(low)
//   worst: gbl_max(worst)
//   cell: idx()

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
change_global(op2::Range range, const double* __restrict__ new_, const double* __restrict__ old,
        const op2::u32* __restrict__ cell_numbers, const user::scale_value scale,
        const op2::Reduced sum_reduced, const op2::Reduced low_reduced,
        const op2::Reduced worst_reduced, const op2::Joining joining) {
    auto sum = op2::start<op2::Inc, user::sum_value>();
    auto low = op2::start<op2::Min, user::low_value>();
    auto worst = op2::start<op2::Max, user::worst_value>();
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto new_arg = op2::load<user::new_view>(new_, e);
        auto old_arg = op2::load<user::old_view>(old, e);
        op2::together(new_arg, old_arg);
        user::change(new_arg, old_arg, scale, sum, low, worst,
            op2::u32(op2::number(cell_numbers, e)));
    }
    op2::reduce(joining, range.partials(), op2::reducing<op2::Inc>(sum, sum_reduced),
        op2::reducing<op2::Min>(low, low_reduced), op2::reducing<op2::Max>(worst, worst_reduced));
}
