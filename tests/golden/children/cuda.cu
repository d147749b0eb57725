// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_cut Aos
#define OP2_STRIDE_cut 1
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_MISS_x 0
#define OP2_LAYOUT_mother Aos
#define OP2_STRIDE_mother 1
#define OP2_MISS_mother 0
#define OP2_LAYOUT_ends Aos
#define OP2_STRIDE_ends 1
#define OP2_MISS_ends 0
#define OP2_LAYOUT_fv Aos
#define OP2_STRIDE_fv 1
#define OP2_LAYOUT_mid Aos
#define OP2_STRIDE_mid 1
#define OP2_ROWS_fv_2 1000
#define OP2_ROWS_born 1000
#define OP2_ARITY_born 0

namespace user {

using namespace op2::types;

__device__ __forceinline__ void populate(const Arr<bool, 3>& cut, Arr<const Arr<double, 2>*, 3> x,
        const Row<u32>& born, Row<Arr<double, 2>>& new_, Row<u32>& mother, Row<Arr<u32, 2>>& ends,
        u32 me, const Arr<u32, 3>& corners, Arr<u32, 3>& mid) {
    usize k = 0;
    for (usize i = 0; i < 3; i += 1) {
        mid[i] = 4294967295u;
        if (cut[i]) {
            const Arr<double, 2>& a = *x[i];
            const Arr<double, 2>& b = *x[(i + 1) % 3];
            new_[k] = Arr<double, 2>{{0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])}};
            mother[k] = me;
            ends[k] = Arr<u32, 2>{{corners[i], corners[(i + 1) % 3]}};
            mid[i] = born[k];
            k += 1;
        }
    }
}

}  // namespace user

namespace user {

struct cut_view : op2::View<Arr<bool, 3>, op2::OP2_LAYOUT_cut> {
    static __device__ op2::usize stride() { return OP2_STRIDE_cut; }
};
struct x_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
    static __device__ bool misses() { return OP2_MISS_x; }
};
struct mother_view : op2::View<u32, op2::OP2_LAYOUT_mother> {
    static __device__ op2::usize stride() { return OP2_STRIDE_mother; }
    static __device__ bool misses() { return OP2_MISS_mother; }
};
struct ends_view : op2::View<Arr<u32, 2>, op2::OP2_LAYOUT_ends> {
    static __device__ op2::usize stride() { return OP2_STRIDE_ends; }
    static __device__ bool misses() { return OP2_MISS_ends; }
};
struct fv_view : op2::View<Arr<u32, 3>, op2::OP2_LAYOUT_fv> {
    static __device__ op2::usize stride() { return OP2_STRIDE_fv; }
};
struct mid_view : op2::View<Arr<u32, 3>, op2::OP2_LAYOUT_mid> {
    static __device__ op2::usize stride() { return OP2_STRIDE_mid; }
};

}  // namespace user

// `populate` over `facets`:
//   cut_arg: read(cut)
//   x_arg: read(x, fv[..])
//   born_arg: read(born)
//   new_: write(x, born[..])
//   mother_arg: write(mother, born[..])
//   ends_arg: write(ends, born[..])
//   me: idx()
//   corners: read(fv)
//   mid_arg: write(mid)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
populate_global(op2::Range range, const bool* __restrict__ cut, double* x, op2::u32* mother,
        op2::u32* ends, const op2::u32* __restrict__ fv, op2::u32* mid,
        const op2::u32* __restrict__ fv_2, const op2::u32* __restrict__ born,
        const op2::u32* __restrict__ born_arg_numbers, const op2::u32* __restrict__ me_numbers) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto fv_2_all = op2::targets<3>(fv_2, OP2_ROWS_fv_2, e);
        auto cut_arg = op2::load<user::cut_view>(cut, e);
        auto x_arg = op2::load<user::x_view>(x, fv_2_all);
        auto new_ = op2::row<user::x_view>(x, born, OP2_ROWS_born, OP2_ARITY_born, e);
        auto mother_arg = op2::row<user::mother_view>(mother, born, OP2_ROWS_born, OP2_ARITY_born,
            e);
        auto ends_arg = op2::row<user::ends_view>(ends, born, OP2_ROWS_born, OP2_ARITY_born, e);
        auto corners = op2::load<user::fv_view>(fv, e);
        user::mid_view::Value mid_arg;
        op2::together(cut_arg, x_arg, corners);
        const auto born_arg = op2::indices(born, OP2_ROWS_born, OP2_ARITY_born, e);
        user::populate(cut_arg, op2::each_ref(x_arg), born_arg, new_, mother_arg, ends_arg,
            op2::u32(op2::number(me_numbers, e)), corners, mid_arg);
        op2::store_own<user::mid_view>(mid, e, op2::side_by_side(range, p), mid_arg);
    }
}
