namespace user {

using namespace op2::types;

__device__ __forceinline__ void names(const double& class_, const Arr<double, 2>& template_,
        usize threadIdx_, Arr<double, 6>& this_) {
    const double double_ = class_ + EOF_;
    const double float_ = double_ * template_[0];
    const i32 int_ = 3;
    const auto auto_ = op2::repeat<double, NVAR>(float_);
    const double min = op2::min(auto_[usize(int_) - 1], 2.0);
    const double NULL_ = min - template_[1];
    const double union_ = NULL_ * 2.0;
    const double op2_ = union_ + 1.0;
    const double gruf6udfe = op2_ * 0.5;
    const double v_x = gruf6udfe + 1.0;
    const double v_Y = v_x - 3.0;
    this_[threadIdx_] = gruf6udfe;
    const double a = 1.0;
    const double a_2 = a + v_Y;
    const double a_2_2 = a_2 * 2.0;
    const double a_3 = a_2 + a_2_2;
    {
        const double a_4 = a_3 * 0.5;
        const double a_2_3 = a_4 + 1.0;
        this_[1] = a_2_3;
    }
    double asm_;
    {
        const double a_4 = a_3 + 1.0;
        asm_ = a_4 * a_4;
    }
    this_[2] = asm_ + a_3 + a_2_2;
    for (i32 unused = 0; unused < 2; unused += 1) {
        for (i32 unused_2 = 0; unused_2 < 3; unused_2 += 1) {
            this_[3] += 1.0;
        }
    }
    for (i32 int_2 = 0; int_2 < int_; int_2 += 1) {
        this_[4] += double(int_2);
    }
    this_[5] = double(int_);
}

}  // namespace user
