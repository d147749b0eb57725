namespace user {

using namespace op2::types;

__device__ __forceinline__ void entries(Arr<const Arr<double, 2>*, 2> x, Arr<double*, 3> res,
        const Arr<Arr<double, 2>*, 2>* more, usize at, const Arr<double, 2>& q) {
    Arr<double, 2> held;
    const Arr<double, 2>* q_2 = &q;
    const double* r;
    if ((*x[0])[0] > 0.0) {
        r = &(*x[1])[0];
    } else {
        r = &(*q_2)[1];
    }
    x[1] = x[0];
    Arr<const Arr<double, 2>*, 2> both = x;
    both[0] = q_2;
    at += 1;
    *res[at] += *r;
    *res[0] = (*x[1])[0] + (*both[0])[1];
    if (*res[0] > 0.5) {
        held = Arr<double, 2>{{7.0, 8.0}};
        q_2 = &held;
    }
    if (more != nullptr) {
        const Arr<Arr<double, 2>*, 2> m = *more;
        (*m[1])[at - 1] -= (*q_2)[1];
        *m[0] = *q_2;
    }
}

}  // namespace user
