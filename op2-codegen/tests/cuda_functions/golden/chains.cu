namespace user {

using namespace op2::types;

__device__ __forceinline__ void chains(const double& x, const double* w, Arr<double, 4>& out) {
    const i32 class_ = x < -0.5 ? 1 : x < 0.0 ? 2 : x < 0.5 ? 3 : 4;
    out[0] = double(class_);
    if (class_ == 1) {
        out[1] = 1.0;
    } else if (class_ == 2) {
    } else if (w != nullptr) {
        const double& w_2 = *w;
        out[1] = w_2;
    } else {
        bool chosen;
        {
            const double y = x * 2.0;
            chosen = y > 1.0;
        }
        if (chosen) {
            out[1] = 4.0;
        } else {
            out[1] = 5.0;
        }
    }
    double chosen;
    if (w != nullptr) {
        const double& v = *w;
        chosen = v;
    } else {
        chosen = -x;
    }
    out[2] = -chosen - -op2::abs(x);
    double chosen_2;
    {
        const double t = w != nullptr ? 1.0 : 2.0;
        chosen_2 = t;
    }
    out[3] = chosen_2 + x;
}

}  // namespace user
