namespace user {

using namespace op2::types;
typedef OP2_FLOAT F;

__device__ __forceinline__ void update(const Arr<F, UNKNOWNS>& qold, Arr<F, UNKNOWNS>& q,
        Arr<F, UNKNOWNS>& res, const F& adt, F& rms, ArgMax<F, u32>& worst, u32 cell) {
    const F adti = F(1.0) / adt;
    for (usize n = 0; n < UNKNOWNS; n += 1) {
        const F del = adti * res[n];
        q[n] = qold[n] - del;
        res[n] = F(0.0);
        rms += del * del;
        worst.update(del * del, cell);
    }
}

}  // namespace user
