// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_MISS_x 0
#define OP2_LAYOUT_weight Aos
#define OP2_STRIDE_weight 1
#define OP2_MISS_weight 0
#define OP2_HAS_weight 1
#define OP2_LAYOUT_change Aos
#define OP2_STRIDE_change 1
#define OP2_MISS_change 0
#define OP2_LAYOUT_count Aos
#define OP2_STRIDE_count 1
#define OP2_MISS_count 0
#define OP2_LAYOUT_least Aos
#define OP2_STRIDE_least 1
#define OP2_MISS_least 0
#define OP2_LAYOUT_last Aos
#define OP2_STRIDE_last 1
#define OP2_ROWS_ring 1000
#define OP2_ARITY_ring 0
#define OP2_ROWS_sides 1000
#define OP2_ARITY_sides 0

namespace user {

using namespace op2::types;

__device__ __forceinline__ double distance(const Row<Arr<double, 2>>& x, usize i,
        const Arr<double, 2>& from) {
    const Arr<double, 2> d = {{x[i][0] - from[0], x[i][1] - from[1]}};
    return op2::sqrt(d[0] * d[0] + d[1] * d[1]);
}

__device__ __forceinline__ void gather(const Row<Arr<double, 2>>& x, const Arr<double, 2>& centre,
        const Row<double>* weight, Row<Arr<double, 2>>& change, Row<u32>& count,
        Row<double>& least, double& last) {
    Arr<double, 2> held;
    for (usize i = 0; i < x.len(); i += 1) {
        const double before = distance(x, i, centre);
        held = x[i];
        double pull = before - distance(x, 0, held);
        if (weight != nullptr) {
            const Row<double>& weight_2 = *weight;
            pull *= weight_2[i];
        }
        const Arr<double, 2> at = x[i];
        for (usize c = 0; c < 2; c += 1) {
            change[i][c] += pull * at[c];
        }
        count[i] += 1;
        least[i] = op2::min(least[i], pull);
        last = pull;
    }
}

}  // namespace user

namespace user {

struct x_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
    static __device__ bool misses() { return OP2_MISS_x; }
};
struct weight_view : op2::View<double, op2::OP2_LAYOUT_weight> {
    static __device__ op2::usize stride() { return OP2_STRIDE_weight; }
    static __device__ bool misses() { return OP2_MISS_weight; }
};
struct change_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_change> {
    static __device__ op2::usize stride() { return OP2_STRIDE_change; }
    static __device__ bool misses() { return OP2_MISS_change; }
};
struct count_view : op2::View<u32, op2::OP2_LAYOUT_count> {
    static __device__ op2::usize stride() { return OP2_STRIDE_count; }
    static __device__ bool misses() { return OP2_MISS_count; }
};
struct least_view : op2::View<double, op2::OP2_LAYOUT_least> {
    static __device__ op2::usize stride() { return OP2_STRIDE_least; }
    static __device__ bool misses() { return OP2_MISS_least; }
};
struct last_view : op2::View<double, op2::OP2_LAYOUT_last> {
    static __device__ op2::usize stride() { return OP2_STRIDE_last; }
};

}  // namespace user

// `gather` over `nodes`:
//   x_arg: read(x, ring[..])
//   centre: read(x)
//   weight_arg: opt(weighted, read(weight, ring[..]))
//   change_arg: inc(change, ring[..])
//   count_arg: inc(count, sides[..])
//   least_arg: min(least, ring[..])
//   last_arg: rw(last)

// All data in global memory, by plain loads and stores.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
gather_global(op2::Range range, const double* __restrict__ x, const double* __restrict__ weight,
        double* change, op2::u32* count, double* least, double* last,
        const op2::u32* __restrict__ ring, const op2::u32* __restrict__ sides) {
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto x_arg = op2::row<user::x_view>(x, ring, OP2_ROWS_ring, OP2_ARITY_ring, e);
        auto centre = op2::load<user::x_view>(x, e);
        const auto weight_arg = op2::row_if<user::weight_view>(OP2_HAS_weight, weight, ring,
            OP2_ROWS_ring, OP2_ARITY_ring, e);
        auto change_arg = op2::row<user::change_view>(change, ring, OP2_ROWS_ring, OP2_ARITY_ring,
            e);
        auto count_arg = op2::row<user::count_view>(count, sides, OP2_ROWS_sides, OP2_ARITY_sides,
            e);
        auto least_arg = op2::row<user::least_view>(least, ring, OP2_ROWS_ring, OP2_ARITY_ring, e);
        op2::without_nan<op2::Min>(least_arg);
        auto last_arg = op2::load<user::last_view>(last, e);
        op2::together(centre, last_arg);
        user::gather(x_arg, centre, OP2_HAS_weight ? &weight_arg : nullptr, change_arg, count_arg,
            least_arg, last_arg);
        op2::store_own<user::last_view>(last, e, op2::side_by_side(range, p), last_arg);
    }
}
