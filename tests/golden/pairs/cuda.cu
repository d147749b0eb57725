// The run time's definitions, for example:
#define OP2_BLOCK 128
#define OP2_DIMENSIONS 2
#define OP2_FROM_OUTSIDE 1
#define OP2_LAYOUT_x Aos
#define OP2_STRIDE_x 1
#define OP2_LAYOUT_charge Aos
#define OP2_STRIDE_charge 1
#define OP2_HAS_charge 1
#define OP2_LAYOUT_force Aos
#define OP2_STRIDE_force 1

namespace user {

using namespace op2::types;

__device__ __forceinline__ void attract(const Arr<double, 2>& x, const Arr<double, 2>& y,
        Arr<double, 2> shift, const double* charge, Arr<double, 2>& force,
        Arr<double, 2>& reaction, usize first, u32 second, double& work) {
    if (first != usize(second)) {
        const Arr<double, 2> d = {{x[0] + shift[0] - y[0], x[1] + shift[1] - y[1]}};
        double near = 1.0 / (0.5 + d[0] * d[0] + d[1] * d[1]);
        if (charge != nullptr) {
            const double& charge_2 = *charge;
            near *= charge_2;
        }
        for (usize c = 0; c < 2; c += 1) {
            force[c] -= near * d[c];
            reaction[c] += near * d[c];
        }
        work += near;
    }
}

}  // namespace user

namespace user {

struct x_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_x> {
    static __device__ op2::usize stride() { return OP2_STRIDE_x; }
};
struct charge_view : op2::View<double, op2::OP2_LAYOUT_charge> {
    static __device__ op2::usize stride() { return OP2_STRIDE_charge; }
};
struct force_view : op2::View<Arr<double, 2>, op2::OP2_LAYOUT_force> {
    static __device__ op2::usize stride() { return OP2_STRIDE_force; }
};
using shift_value = Arr<double, 2>;
using work_value = double;

}  // namespace user

// `attract` over `near`:
//   x_arg: read(x, from)
//   y: read(x, to)
//   shift: shift()
//   charge_arg: opt(charged, read(charge, to))
//   force_arg: inc(force, from)
//   reaction: inc(force, to)
//   first: idx(from)
//   second: idx(to)
//   work: gbl_inc(work)

#if OP2_FROM_OUTSIDE

// Blocks whose threads share the partners of an element; contributions inside go to copies.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
attract_pairs(op2::Patches patches, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ charge, double* force,
        const op2::u32* __restrict__ first_numbers, const op2::u32* __restrict__ second_numbers,
        const op2::Reduced work_reduced, const op2::Joining joining, double* force_parts) {
    auto work = op2::start<op2::Inc, user::work_value>();
    op2::SharedSearch<OP2_DIMENSIONS, true> search(grid);
    patches.clear<op2::Inc, user::force_view>(force_parts);
    __syncthreads();
    for (auto p = patches.first(); p < patches.end(); p += 1) {
        const auto e = patches.element(p);
        OP2_ELEMENT(e);
        const auto x_arg = op2::load<user::x_view>(x, e);
        auto force_arg_sum = op2::neutral<op2::Inc, user::force_view::Value>();
        search.begin(e);
        while (search.next_image()) {
            while (search.next_partner()) {
                const auto partner = search.partner;
                const auto y = op2::load<user::x_view>(x, partner);
                const auto charge_arg = op2::load_if<user::charge_view>(OP2_HAS_charge, charge,
                    partner);
                auto force_arg = op2::neutral<op2::Inc, user::force_view::Value>();
                auto reaction = op2::neutral<op2::Inc, user::force_view::Value>();
                user::attract(x_arg, y, op2::shift_as<user::shift_value>(search.shift),
                    OP2_HAS_charge ? &charge_arg : nullptr, force_arg, reaction,
                    op2::usize(op2::number(first_numbers, e)),
                    op2::u32(op2::number(second_numbers, partner)), work);
                const auto copy = patches.copy(search);
                op2::absorb<op2::Inc>(force_arg_sum, force_arg);
                patches.combine<op2::Inc, user::force_view>(force_parts, copy, reaction);
            }
            __syncthreads();
        }
        op2::combine_total<op2::Inc, user::force_view>(force, e, force_arg_sum);
    }
    search.count();
    op2::reduce(joining, blockIdx.x, op2::reducing<op2::Inc>(work, work_reduced));
}

// A thread for each element outside; contributions inside go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
attract_pairs_single(op2::Range range, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ charge, double* force,
        const op2::u32* __restrict__ first_numbers, const op2::u32* __restrict__ second_numbers,
        const op2::Reduced work_reduced, const op2::Joining joining) {
    auto work = op2::start<op2::Inc, user::work_value>();
    op2::SingleSearch<OP2_DIMENSIONS, true> search(grid);
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto x_arg = op2::load<user::x_view>(x, e);
        auto force_arg_sum = op2::neutral<op2::Inc, user::force_view::Value>();
        search.begin(e);
        while (search.next_partner()) {
            const auto partner = search.partner;
            const auto y = op2::load<user::x_view>(x, partner);
            const auto charge_arg = op2::load_if<user::charge_view>(OP2_HAS_charge, charge,
                partner);
            auto force_arg = op2::neutral<op2::Inc, user::force_view::Value>();
            auto reaction = op2::neutral<op2::Inc, user::force_view::Value>();
            user::attract(x_arg, y, op2::shift_as<user::shift_value>(search.shift),
                OP2_HAS_charge ? &charge_arg : nullptr, force_arg, reaction,
                op2::usize(op2::number(first_numbers, e)),
                op2::u32(op2::number(second_numbers, partner)), work);
            op2::absorb<op2::Inc>(force_arg_sum, force_arg);
            op2::atomic<op2::Inc, user::force_view>(force, partner, reaction);
        }
        op2::atomic<op2::Inc, user::force_view>(force, e, force_arg_sum);
    }
    search.count();
    op2::reduce(joining, range.partials(), op2::reducing<op2::Inc>(work, work_reduced));
}

#else

// Blocks whose threads share the partners of an element; contributions inside go to copies.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
attract_pairs(op2::Patches patches, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ charge, double* force,
        const op2::u32* __restrict__ first_numbers, const op2::u32* __restrict__ second_numbers,
        const op2::Reduced work_reduced, const op2::Joining joining, double* force_parts) {
    auto work = op2::start<op2::Inc, user::work_value>();
    op2::SharedSearch<OP2_DIMENSIONS, false> search(grid);
    patches.clear<op2::Inc, user::force_view>(force_parts);
    __syncthreads();
    for (auto p = patches.first(); p < patches.end(); p += 1) {
        const auto e = patches.element(p);
        OP2_ELEMENT(e);
        const auto y = op2::load<user::x_view>(x, e);
        const auto charge_arg = op2::load_if<user::charge_view>(OP2_HAS_charge, charge, e);
        auto reaction_sum = op2::neutral<op2::Inc, user::force_view::Value>();
        search.begin(e);
        while (search.next_image()) {
            while (search.next_partner()) {
                const auto partner = search.partner;
                const auto x_arg = op2::load<user::x_view>(x, partner);
                auto force_arg = op2::neutral<op2::Inc, user::force_view::Value>();
                auto reaction = op2::neutral<op2::Inc, user::force_view::Value>();
                user::attract(x_arg, y, op2::shift_as<user::shift_value>(search.shift),
                    OP2_HAS_charge ? &charge_arg : nullptr, force_arg, reaction,
                    op2::usize(op2::number(first_numbers, partner)),
                    op2::u32(op2::number(second_numbers, e)), work);
                const auto copy = patches.copy(search);
                patches.combine<op2::Inc, user::force_view>(force_parts, copy, force_arg);
                op2::absorb<op2::Inc>(reaction_sum, reaction);
            }
            __syncthreads();
        }
        op2::combine_total<op2::Inc, user::force_view>(force, e, reaction_sum);
    }
    search.count();
    op2::reduce(joining, blockIdx.x, op2::reducing<op2::Inc>(work, work_reduced));
}

// A thread for each element outside; contributions inside go by atomics.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
attract_pairs_single(op2::Range range, op2::Grid<OP2_DIMENSIONS> grid, const double* __restrict__ x,
        const double* __restrict__ charge, double* force,
        const op2::u32* __restrict__ first_numbers, const op2::u32* __restrict__ second_numbers,
        const op2::Reduced work_reduced, const op2::Joining joining) {
    auto work = op2::start<op2::Inc, user::work_value>();
    op2::SingleSearch<OP2_DIMENSIONS, false> search(grid);
    for (auto p = range.first(); p < range.end; p += op2::threads()) {
        const auto e = range.element(p);
        OP2_ELEMENT(e);
        const auto y = op2::load<user::x_view>(x, e);
        const auto charge_arg = op2::load_if<user::charge_view>(OP2_HAS_charge, charge, e);
        auto reaction_sum = op2::neutral<op2::Inc, user::force_view::Value>();
        search.begin(e);
        while (search.next_partner()) {
            const auto partner = search.partner;
            const auto x_arg = op2::load<user::x_view>(x, partner);
            auto force_arg = op2::neutral<op2::Inc, user::force_view::Value>();
            auto reaction = op2::neutral<op2::Inc, user::force_view::Value>();
            user::attract(x_arg, y, op2::shift_as<user::shift_value>(search.shift),
                OP2_HAS_charge ? &charge_arg : nullptr, force_arg, reaction,
                op2::usize(op2::number(first_numbers, partner)),
                op2::u32(op2::number(second_numbers, e)), work);
            op2::atomic<op2::Inc, user::force_view>(force, partner, force_arg);
            op2::absorb<op2::Inc>(reaction_sum, reaction);
        }
        op2::atomic<op2::Inc, user::force_view>(force, e, reaction_sum);
    }
    search.count();
    op2::reduce(joining, range.partials(), op2::reducing<op2::Inc>(work, work_reduced));
}

#endif

// Combines `force` with the contributions kept apart.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK)
attract_gather_force(op2::Sums sums, double* force, const double* __restrict__ force_parts) {
    op2::gather<op2::Inc, user::force_view>(sums, force, force_parts);
}
