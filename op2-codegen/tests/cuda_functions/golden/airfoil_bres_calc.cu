namespace user {

using namespace op2::types;
typedef OP2_FLOAT F;

__device__ __forceinline__ Tup<F, F> pressure_and_volume(Arr<F, pressure_and_volume_UNKNOWNS> q,
        F dx, F dy) {
    const F ri = F(1.0) / q[0];
    const F p = F(GM1) * (q[3] - F(0.5) * ri * (q[1] * q[1] + q[2] * q[2]));
    return op2::tup<F, F>(p, ri * (q[1] * dy - q[2] * dx));
}

__device__ __forceinline__ Tup<F, F> pressure_and_volume_2(Arr<F, pressure_and_volume_UNKNOWNS_2> q,
        F dx, F dy) {
    const F ri = F(1.0) / q[0];
    const F p = F(pressure_and_volume_GM1) * (q[3] - F(0.5) * ri * (q[1] * q[1] + q[2] * q[2]));
    return op2::tup<F, F>(p, ri * (q[1] * dy - q[2] * dx));
}

__device__ __forceinline__ Arr<F, edge_flux_UNKNOWNS> edge_flux(F dx, F dy,
        Arr<F, edge_flux_UNKNOWNS> a, Arr<F, edge_flux_UNKNOWNS> b, F mu) {
    const F half = F(0.5);
    const Tup<F, F> parts = pressure_and_volume_2(a, dx, dy);
    const F pa = op2::get<0>(parts);
    const F va = op2::get<1>(parts);
    const Tup<F, F> parts_2 = pressure_and_volume_2(b, dx, dy);
    const F pb = op2::get<0>(parts_2);
    const F vb = op2::get<1>(parts_2);
    return Arr<F, 4>{{half * (va * a[0] + vb * b[0]) + mu * (a[0] - b[0]),
        half * (va * a[1] + pa * dy + vb * b[1] + pb * dy) + mu * (a[1] - b[1]),
        half * (va * a[2] - pa * dx + vb * b[2] - pb * dx) + mu * (a[2] - b[2]),
        half * (va * (a[3] + pa) + vb * (b[3] + pb)) + mu * (a[3] - b[3])}};
}

__device__ __forceinline__ void bres_calc(const Arr<F, 2>& x1, const Arr<F, 2>& x2,
        const Arr<F, UNKNOWNS>& q, const F& adt, Arr<F, UNKNOWNS>& res, const i32& bound,
        const Arr<F, UNKNOWNS>& qinf) {
    const F dx = x1[0] - x2[0];
    const F dy = x1[1] - x2[1];
    if (bound == WALL) {
        const Tup<F, F> parts = pressure_and_volume(q, dx, dy);
        const F p = op2::get<0>(parts);
        res[1] += p * dy;
        res[2] -= p * dx;
    } else {
        const Arr<F, edge_flux_UNKNOWNS> flux = edge_flux(dx, dy, q, qinf, adt * F(EPS));
        for (usize n = 0; n < UNKNOWNS; n += 1) {
            res[n] += flux[n];
        }
    }
}

}  // namespace user
