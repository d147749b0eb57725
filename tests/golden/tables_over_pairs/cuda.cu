// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_DIMENSIONS 2
#define OP2_FROM_OUTSIDE 1
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_SIZE_x 1000
#define OP2_LAYOUT_scale Aos
#define OP2_STRIDE_scale 1
#define OP2_SIZE_scale 1000
#define OP2_HAS_scale 1
#define OP2_LAYOUT_sum Aos
#define OP2_STRIDE_sum 1
#define OP2_LAYOUT_last Aos
#define OP2_STRIDE_last 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void near(u32 f, u32 t, const Table<Arr<double, 2>>& x,
        const Table<double>* scale, double& sum, u32& last) {
    double w = x.at(t)[1];
    if (scale != nullptr) {
        const Table<double>& scale_2 = *scale;
        w *= scale_2.at(f);
    }
    sum += w;
    last = op2::max(last, x.number(t));
}

}  // namespace user

namespace user {

struct x_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
};
struct scale_view : op2::View<double, op2::OP2_LAYOUT_scale> {
    static __device__ op2::usize stride() { return OP2_STRIDE_scale; }
};
struct sum_view : op2::View<double, op2::OP2_LAYOUT_sum> {
    static __device__ op2::usize stride() { return OP2_STRIDE_sum; }
};
struct last_view : op2::View<u32, op2::OP2_LAYOUT_last> {
    static __device__ op2::usize stride() { return OP2_STRIDE_last; }
};

}  // namespace user

// `near` over `meeting`:
//   f: idx(from)
//   t: idx(to)
//   x_arg: read(x, all)
//   scale_arg: opt(scaled, read(scale, all))
//   sum_arg: inc(sum, to)
//   last_arg: max(last, from)

#if OP2_FROM_OUTSIDE

// Blocks whose threads share the partners of an element; contributions inside go to copies.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
near_pairs(op2::Patches patches, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ scale, double* sum, op2::u32* last,
        const op2::u32* __restrict__ f_numbers, const op2::u32* __restrict__ t_numbers,
        const op2::u32* __restrict__ x_arg_numbers, const op2::u32* __restrict__ x_arg_elements,
        const op2::u32* __restrict__ scale_arg_numbers,
        const op2::u32* __restrict__ scale_arg_elements, double* sum_parts, op2::u32* last_parts) {
    op2::SharedSearch<OP2_DIMENSIONS, true> search(grid);
    const auto x_arg = op2::table<user::x_view>(x, OP2_SIZE_x, x_arg_numbers, x_arg_elements);
    const auto scale_arg = op2::table<user::scale_view>(scale, OP2_SIZE_scale, scale_arg_numbers,
        scale_arg_elements);
    patches.clear<op2::Inc, user::sum_view>(sum_parts);
    __syncthreads();
    for (auto p = patches.first(); p < patches.end(); p += 1) {
        const auto e = patches.element(p);
        OP2_ELEMENT(e);
        auto last_arg_sum = op2::neutral<op2::Max, user::last_view::Value>();
        search.begin(e);
        while (search.next_image()) {
            while (search.next_partner()) {
                const auto partner = search.partner;
                auto sum_arg = op2::neutral<op2::Inc, user::sum_view::Value>();
                auto last_arg = op2::neutral<op2::Max, user::last_view::Value>();
                user::near(op2::u32(op2::number(f_numbers, e)),
                    op2::u32(op2::number(t_numbers, partner)), x_arg,
                    OP2_HAS_scale ? &scale_arg : nullptr, sum_arg, last_arg);
                const auto copy = patches.copy(search);
                patches.combine<op2::Inc, user::sum_view>(sum_parts, copy, sum_arg);
                op2::absorb<op2::Max>(last_arg_sum, last_arg);
            }
            __syncthreads();
        }
        op2::combine_total<op2::Max, user::last_view>(last, e, last_arg_sum);
    }
    search.count();
}

// A thread for each element outside; contributions inside go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
near_pairs_single(op2::Range range, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ scale, double* sum, op2::u32* last,
        const op2::u32* __restrict__ f_numbers, const op2::u32* __restrict__ t_numbers,
        const op2::u32* __restrict__ x_arg_numbers, const op2::u32* __restrict__ x_arg_elements,
        const op2::u32* __restrict__ scale_arg_numbers,
        const op2::u32* __restrict__ scale_arg_elements) {
    op2::SingleSearch<OP2_DIMENSIONS, true> search(grid);
    const auto x_arg = op2::table<user::x_view>(x, OP2_SIZE_x, x_arg_numbers, x_arg_elements);
    const auto scale_arg = op2::table<user::scale_view>(scale, OP2_SIZE_scale, scale_arg_numbers,
        scale_arg_elements);
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto last_arg_sum = op2::neutral<op2::Max, user::last_view::Value>();
        search.begin(e);
        while (search.next_partner()) {
            const auto partner = search.partner;
            auto sum_arg = op2::neutral<op2::Inc, user::sum_view::Value>();
            auto last_arg = op2::neutral<op2::Max, user::last_view::Value>();
            user::near(op2::u32(op2::number(f_numbers, e)),
                op2::u32(op2::number(t_numbers, partner)), x_arg,
                OP2_HAS_scale ? &scale_arg : nullptr, sum_arg, last_arg);
            op2::atomic<op2::Inc, user::sum_view>(sum, partner, sum_arg);
            op2::absorb<op2::Max>(last_arg_sum, last_arg);
        }
        op2::atomic<op2::Max, user::last_view>(last, e, last_arg_sum);
    }
    search.count();
}

#else

// Blocks whose threads share the partners of an element; contributions inside go to copies.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
near_pairs(op2::Patches patches, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ scale, double* sum, op2::u32* last,
        const op2::u32* __restrict__ f_numbers, const op2::u32* __restrict__ t_numbers,
        const op2::u32* __restrict__ x_arg_numbers, const op2::u32* __restrict__ x_arg_elements,
        const op2::u32* __restrict__ scale_arg_numbers,
        const op2::u32* __restrict__ scale_arg_elements, double* sum_parts, op2::u32* last_parts) {
    op2::SharedSearch<OP2_DIMENSIONS, false> search(grid);
    const auto x_arg = op2::table<user::x_view>(x, OP2_SIZE_x, x_arg_numbers, x_arg_elements);
    const auto scale_arg = op2::table<user::scale_view>(scale, OP2_SIZE_scale, scale_arg_numbers,
        scale_arg_elements);
    patches.clear<op2::Max, user::last_view>(last_parts);
    __syncthreads();
    for (auto p = patches.first(); p < patches.end(); p += 1) {
        const auto e = patches.element(p);
        OP2_ELEMENT(e);
        auto sum_arg_sum = op2::neutral<op2::Inc, user::sum_view::Value>();
        search.begin(e);
        while (search.next_image()) {
            while (search.next_partner()) {
                const auto partner = search.partner;
                auto sum_arg = op2::neutral<op2::Inc, user::sum_view::Value>();
                auto last_arg = op2::neutral<op2::Max, user::last_view::Value>();
                user::near(op2::u32(op2::number(f_numbers, partner)),
                    op2::u32(op2::number(t_numbers, e)), x_arg,
                    OP2_HAS_scale ? &scale_arg : nullptr, sum_arg, last_arg);
                const auto copy = patches.copy(search);
                op2::absorb<op2::Inc>(sum_arg_sum, sum_arg);
                patches.combine<op2::Max, user::last_view>(last_parts, copy, last_arg);
            }
            __syncthreads();
        }
        op2::combine_total<op2::Inc, user::sum_view>(sum, e, sum_arg_sum);
    }
    search.count();
}

// A thread for each element outside; contributions inside go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
near_pairs_single(op2::Range range, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ scale, double* sum, op2::u32* last,
        const op2::u32* __restrict__ f_numbers, const op2::u32* __restrict__ t_numbers,
        const op2::u32* __restrict__ x_arg_numbers, const op2::u32* __restrict__ x_arg_elements,
        const op2::u32* __restrict__ scale_arg_numbers,
        const op2::u32* __restrict__ scale_arg_elements) {
    op2::SingleSearch<OP2_DIMENSIONS, false> search(grid);
    const auto x_arg = op2::table<user::x_view>(x, OP2_SIZE_x, x_arg_numbers, x_arg_elements);
    const auto scale_arg = op2::table<user::scale_view>(scale, OP2_SIZE_scale, scale_arg_numbers,
        scale_arg_elements);
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        auto sum_arg_sum = op2::neutral<op2::Inc, user::sum_view::Value>();
        search.begin(e);
        while (search.next_partner()) {
            const auto partner = search.partner;
            auto sum_arg = op2::neutral<op2::Inc, user::sum_view::Value>();
            auto last_arg = op2::neutral<op2::Max, user::last_view::Value>();
            user::near(op2::u32(op2::number(f_numbers, partner)),
                op2::u32(op2::number(t_numbers, e)), x_arg, OP2_HAS_scale ? &scale_arg : nullptr,
                sum_arg, last_arg);
            op2::absorb<op2::Inc>(sum_arg_sum, sum_arg);
            op2::atomic<op2::Max, user::last_view>(last, partner, last_arg);
        }
        op2::atomic<op2::Inc, user::sum_view>(sum, e, sum_arg_sum);
    }
    search.count();
}

#endif

// Combines `sum` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
near_gather_sum(op2::Sums sums, double* sum, const double* __restrict__ sum_parts) {
    op2::gather<op2::Inc, user::sum_view>(sums, sum, sum_parts);
}

// Combines `last` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
near_gather_last(op2::Sums sums, op2::u32* last, const op2::u32* __restrict__ last_parts) {
    op2::gather<op2::Max, user::last_view>(sums, last, last_parts);
}
