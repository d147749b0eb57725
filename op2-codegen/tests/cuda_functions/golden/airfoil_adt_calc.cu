namespace user {

using namespace op2::types;
typedef OP2_FLOAT F;

__device__ __forceinline__ void adt_calc(Arr<const Arr<F, 2>*, 4> x, const Arr<F, UNKNOWNS>& q,
        F& adt) {
    const F ri = F(1.0) / q[0];
    const F u = ri * q[1];
    const F v = ri * q[2];
    const F c = op2::sqrt(F(GAM) * F(GM1) * (ri * q[3] - F(0.5) * (u * u + v * v)));
    F sum = F(0.0);
    for (usize side = 0; side < 4; side += 1) {
        const usize next = (side + 1) % 4;
        const F dx = (*x[next])[0] - (*x[side])[0];
        const F dy = (*x[next])[1] - (*x[side])[1];
        sum += op2::abs(u * dy - v * dx) + c * op2::sqrt(dx * dx + dy * dy);
    }
    adt = sum / F(CFL);
}

}  // namespace user
