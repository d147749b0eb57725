namespace user {

using namespace op2::types;

__device__ __forceinline__ double bump(double& x) {
    x += 1.0;
    return x;
}

__device__ __forceinline__ double add(double a, double b, const double& c) {
    return a * 100.0 + b * 10.0 + c;
}

__device__ __forceinline__ usize next(usize& i) {
    const usize now = i;
    i += 1;
    return now;
}

__device__ __forceinline__ const Arr<double, 2>* longer(const Arr<double, 2>& a,
        const Arr<double, 2>& b) {
    if (a[0] > b[0]) {
        return &a;
    }
    return &b;
}

__device__ __forceinline__ double* part(Tup<Arr<double, 2>*, usize> pair) {
    return &(*op2::get<0>(pair))[op2::get<1>(pair)];
}

__device__ __forceinline__ void effects(const Arr<double, 2>& a, Arr<double, 8>& out,
        Arr<double, 2>& more) {
    double held;
    Arr<double, 2> held_2;
    Arr<double, 2> held_3;
    double x = a[0];
    const auto result = bump(x);
    const double before = x;
    const auto result_2 = bump(x);
    out[0] = result + before * result_2;
    const auto result_3 = bump(x);
    const double before_2 = x;
    const auto result_4 = bump(x);
    held = result_4;
    out[1] = add(result_3, before_2, held);
    usize i = 2;
    const auto result_5 = bump(x);
    const auto result_6 = next(i);
    out[result_6] = result_5;
    const double before_3 = double(i);
    const auto result_7 = next(i);
    out[result_7] += before_3;
    held_2 = Arr<double, 2>{{x, 2.0}};
    const double before_4 = (*longer(a, held_2))[1];
    held_3 = Arr<double, 2>{{-x, 3.0}};
    out[4] = before_4 + (*longer(a, held_3))[1];
    const double b = bump(out[5]);
    bump(out[5]);
    double chosen;
    const auto result_8 = bump(x);
    if (result_8 > 0.0) {
        chosen = b;
    } else {
        chosen = x;
    }
    out[6] = chosen;
    while (true) {
        const auto result_9 = bump(x);
        if (!(result_9 < 9.0)) break;
        const auto result_10 = next(i);
        if (result_10 > 6) {
            break;
        }
    }
    out[7] = x + double(i);
    double& target = *part(op2::tup<Arr<double, 2>*, usize>(&more, 1ull));
    target += 2.0;
    const double before_5 = x;
    const auto result_9 = part(op2::tup<Arr<double, 2>*, usize>(&more, 0ull));
    *result_9 = before_5;
    bump(x);
    const auto result_10 = bump(x);
    const auto both = op2::tup<double, double>(result_10, x);
    more[0] += op2::get<0>(both) - op2::get<1>(both) + x;
}

}  // namespace user
