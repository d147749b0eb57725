namespace user {

using namespace op2::types;

__device__ __forceinline__ void order(const double& a, Arr<double, 8>& out) {
    double x = a;
    const double before = x;
    double chosen;
    {
        x = 3.0;
        chosen = x * 2.0;
    }
    out[0] = before + chosen + x;
    const double before_2 = x;
    double chosen_2;
    {
        x += 1.0;
        chosen_2 = -x;
    }
    out[1] = op2::max(before_2, chosen_2);
    const double before_3 = x;
    double chosen_3;
    {
        x *= 2.0;
        chosen_3 = x;
    }
    const Arr<double, 3> parts = {{before_3, chosen_3, x}};
    out[2] = parts[0] + parts[1] * 10.0 + parts[2] * 100.0;
    usize i = 0;
    const Arr<double, 4> table = {{1.0, 2.0, 3.0, 4.0}};
    const double before_4 = table[i];
    usize chosen_4;
    {
        i += 2;
        chosen_4 = i;
    }
    out[3] = before_4 + table[chosen_4] * table[i];
    double chosen_5;
    {
        i += 1;
        chosen_5 = table[i - 2];
    }
    usize chosen_6;
    {
        i += 2;
        chosen_6 = i;
    }
    out[chosen_6] = chosen_5;
    double chosen_7;
    {
        i = 6;
        chosen_7 = 1.0;
    }
    out[i] += chosen_7;
    Arr<Arr<double, 2>, 2> rows = {{{{1.0, 2.0}}, {{3.0, 4.0}}}};
    usize j = 0;
    auto* const at = &rows[j];
    usize chosen_8;
    {
        j = 1;
        chosen_8 = j;
    }
    (*at)[chosen_8] = 7.0;
    auto* const at_2 = &rows[j];
    usize chosen_9;
    {
        j = 0;
        chosen_9 = j;
    }
    out[6] += (*at_2)[chosen_9] + rows[0][1];
    bool decided = x > 5.0;
    if (decided) {
        bool chosen_10;
        {
            x = -x;
            chosen_10 = x < 0.0;
        }
        decided = chosen_10;
    }
    bool decided_2 = decided;
    if (!decided_2) {
        bool chosen_10;
        {
            x += 0.5;
            chosen_10 = false;
        }
        decided_2 = chosen_10;
    }
    const bool decided_3 = decided_2;
    out[7] = decided_3 ? x : -x;
    const double before_5 = out[7];
    double chosen_10;
    {
        out[7] = 4.0;
        chosen_10 = 2.0;
    }
    out[5] = before_5 + chosen_10 * out[7];
}

}  // namespace user
