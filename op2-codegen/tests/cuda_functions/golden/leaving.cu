namespace user {

using namespace op2::types;

__device__ __forceinline__ void leaving(const double& a, const double& b, double& out) {
    out = 1.0;
    bool decided = a > 0.0;
    if (decided) {
        bool chosen;
        {
            if (b > 0.5) {
                return;
            }
            chosen = true;
        }
        decided = chosen;
    }
    const bool fine = decided;
    out = 2.0 + (fine ? a : 0.0);
    double x;
    if (a < -0.5) {
        out = 9.0;
        return;
    } else {
        x = a * 2.0;
    }
    double chosen;
    {
        if (b < -0.9) {
            return;
        }
        chosen = 2.0;
    }
    out += x * chosen;
    while (true) {
        out += 1.0;
        if (out > 10.0) {
            return;
        }
    }
}

}  // namespace user
