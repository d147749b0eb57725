namespace user {

using namespace op2::types;

__device__ __forceinline__ void tuples(const double& x, Arr<double, 6>& out) {
    const auto t = op2::tup<double, Tup<Arr<double, 2>, u32>, Tup<bool>>(x,
        op2::tup<Arr<double, 2>, u32>(Arr<double, 2>{{1.0, x}}, 3u), op2::tup<bool>(true));
    const double a = op2::get<0>(t);
    const Arr<double, 2> b = op2::get<0>(op2::get<1>(t));
    const bool flag = op2::get<0>(op2::get<2>(t));
    out[0] = a + b[1] + op2::get<0>(op2::get<1>(t))[0] + double(op2::get<1>(op2::get<1>(t)));
    if (flag) {
        out[1] = op2::get<0>(t);
    }
    auto pair = op2::tup<double, i32>(a, 1);
    op2::get<1>(pair) = op2::add(op2::get<1>(pair), 4);
    op2::get<0>(pair) = 7.0;
    Tup<double, i32> chosen;
    if (x > 0.0) {
        const double y = op2::get<0>(pair);
        chosen = op2::tup<double, i32>(y, op2::get<1>(pair));
    } else {
        chosen = op2::tup<double, i32>(1.0, 2);
    }
    const Tup<double, i32> parts = chosen;
    const double p = op2::get<0>(parts);
    const i32 q = op2::get<1>(parts);
    out[2] = p * double(q);
    const double a_2 = b[0];
    const double b_2 = a;
    out[3] = a_2 - b_2;
    const auto nothing = op2::tup<Unit, double>(Unit{}, a_2);
    out[4] = op2::get<1>(nothing);
    Tup<double, Arr<double, 2>> late;
    if (x < 0.5) {
        late = op2::tup<double, Arr<double, 2>>(1.0, op2::repeat<double, 2>(2.0));
    } else {
        late = op2::tup<double, Arr<double, 2>>(a_2, Arr<double, 2>{{b_2, a_2}});
    }
    out[5] = op2::get<0>(late) + op2::get<1>(late)[1];
}

}  // namespace user
