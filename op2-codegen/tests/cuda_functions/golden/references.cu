namespace user {

using namespace op2::types;

__device__ __forceinline__ void references(const Arr<Arr<double, 2>, 3>& q, const i32& pick,
        Arr<double, 8>& out, Arr<const Arr<double, 2>*, 2> x) {
    double held;
    double held_2;
    double held_3;
    const Arr<double, 2>& row = pick > 0 ? q[1] : q[2];
    out[0] = row[0];
    const Arr<double, 2>* best = &q[0];
    for (usize i = 0; i < 3; i += 1) {
        if (q[i][0] > (*best)[0]) {
            best = &q[i];
        }
    }
    out[1] = (*best)[1];
    const Arr<const Arr<double, 2>*, 3> both = {{&q[0], &q[1], best}};
    out[2] = (*both[0])[0] + (*both[2])[1];
    held = row[0] + (*best)[0];
    const double* sum = &held;
    out[3] = *sum * *sum;
    const double* const& twice = sum;
    out[4] = *twice;
    const Arr<double, 2>& left = q[0];
    const Arr<double, 2>& right = *x[1];
    const i32 n = 4;
    out[5] = left[0] - right[1] * double(n);
    held_2 = 1.5;
    const double* constant = &held_2;
    if (pick > 1) {
        held_3 = 2.5;
        constant = &held_3;
    }
    out[6] = *constant;
    double& last = out[7];
    if (pick == 2) {
        const Arr<double, op2::length<decltype(TABLE), 1>>& t = TABLE[1];
        last = t[0];
    } else {
        last = TABLE[2][1];
    }
    double& again = last;
    again += 1.0;
    double* chosen;
    if (pick > 0) {
        double& other = out[0];
        chosen = &other;
    } else {
        chosen = &out[1];
    }
    *chosen *= 2.0;
}

}  // namespace user
