//! Scalars at the ends of their ranges, where C++ is undefined, promotes or rounds differently.

#![expect(clippy::too_many_arguments, reason = "a kernel has one parameter per argument of its loop")]

use op2_codegen::ir::Scalar;

use crate::value::{ToValue, Value};
use crate::{Consts, Emitted, Numbers, agree, kernel, twin};

/// The kernel of one float type.
macro_rules! floats {
    ($($name:ident $t:ident)*) => {
        $(twin! {
            fn $name(x: &$t, y: &$t, n: &i32, out: &mut [$t; 24], is: &mut [bool; 5]) {
                out[0] = x.max(*y);
                out[1] = x.min(*y);
                out[2] = x.signum();
                out[3] = x.round();
                out[4] = x.powi(*n);
                out[5] = x.to_degrees() + y.to_radians();
                out[6] = x % *y;
                out[7] = x.fract();
                out[8] = x.copysign(*y);
                out[9] = x.mul_add(*y, 0.1);
                out[10] = x.clamp(-0.75, $t::MAX);
                out[11] = x.recip() * 0.3;
                out[12] = x.trunc() + y.floor() - x.ceil();
                out[13] = x * 16777217.0 + 0.1;
                out[14] = x * y + y / 3.0 - 1e-3;
                out[15] = x.asinh() + (y.abs() + 1.0).acosh();
                out[16] = (x * 0.001).atanh();
                out[17] = $t::EPSILON + std::$t::consts::LN_2 * x;
                out[18] = if *x < *y { $t::INFINITY } else { $t::NEG_INFINITY } + $t::MIN_POSITIVE;
                out[19] = $t::NAN;
                out[20] = 3.4e38 * x;
                out[21] = *n as $t / 3.0;
                out[22] %= 0.7;
                is[0] = x.is_nan() || y.is_nan();
                is[1] = x.is_infinite() & !y.is_infinite();
                is[2] = x.is_finite() ^ y.is_finite();
                is[3] = x.is_sign_negative() | (x != y);
                is[4] &= x >= y;
            }
        })*
    };
}

floats!(single f32 double f64);

const SPECIAL: [f64; 20] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.49999999999999994,
    1e-320,
    1e-40,
    3.7,
    -1e10,
    4503599627370497.5,
    1e30,
    -1e300,
    1e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2147483647.9,
];

#[test]
fn floats_agree_on_special_values() {
    let (single_unit, double_unit) = (kernel(single::TEXT), kernel(double::TEXT));
    let consts = Consts::new();
    let single_text = Emitted::of(&single_unit, &consts, Scalar::F64);
    let double_text = Emitted::of(&double_unit, &consts, Scalar::F64);
    for x in SPECIAL {
        for y in SPECIAL {
            // Which zero is the greater one is open.
            if x == 0.0 && y == 0.0 {
                continue;
            }
            for n in [0, 1, -1, 2, 3, 7, -12, i32::MAX, i32::MIN] {
                let args = (x, y, n, [1.3; 24], [true; 5]);
                double_text.agree(args, |a| double(&a.0, &a.1, &a.2, &mut a.3, &mut a.4));
                let args = (x as f32, y as f32, n, [1.3f32; 24], [true; 5]);
                single_text.agree(args, |a| single(&a.0, &a.1, &a.2, &mut a.3, &mut a.4));
            }
        }
    }
}

#[test]
fn floats_agree_on_random_values() {
    let (single_unit, double_unit) = (kernel(single::TEXT), kernel(double::TEXT));
    let consts = Consts::new();
    let single_text = Emitted::of(&single_unit, &consts, Scalar::F64);
    let double_text = Emitted::of(&double_unit, &consts, Scalar::F64);
    let mut numbers = Numbers::new(5);
    for n in -100..100 {
        let (x, y) = (numbers.f64() * 10.0, numbers.f64());
        let args = (x, y, n, [x; 24], [true; 5]);
        double_text.agree(args, |a| double(&a.0, &a.1, &a.2, &mut a.3, &mut a.4));
        let args = (x as f32, y as f32, n, [y as f32; 24], [true; 5]);
        single_text.agree(args, |a| single(&a.0, &a.1, &a.2, &mut a.3, &mut a.4));
    }
}

twin! {
    fn from_floats(x: &f64, i: &mut [i32; 2], u: &mut [u32; 2], l: &mut [i64; 2], v: &mut [u64; 2], f: &mut [f64; 3]) {
        let y = *x as f32;
        i[0] = *x as i32;
        i[1] = y as i32;
        u[0] = *x as u32;
        u[1] = y as u32;
        l[0] = *x as i64;
        l[1] = y as i64;
        v[0] = *x as u64;
        v[1] = (y as usize) as u64;
        f[0] = f64::from(y);
        f[1] = *x as f32 as f64;
        f[2] = (*x as f32 * 0.1 + 0.2) as f64;
    }

    fn from_integers(i: &i32, u: &u32, l: &i64, v: &u64, b: &bool, to: &mut [i64; 12], f: &mut [f32; 4], d: &mut [f64; 4]) {
        to[0] = *i as u32 as i64;
        to[1] = *i as i64;
        to[2] = *i as u64 as i64;
        to[3] = *u as i32 as i64;
        to[4] = *u as i64;
        to[5] = *l as i32 as i64;
        to[6] = *l as u32 as i64;
        to[7] = *v as i64;
        to[8] = *v as i32 as i64;
        to[9] = *b as i64 + i64::from(*b);
        to[10] = (*v as usize) as i64;
        to[11] = (*l < 0) as u32 as i64;
        f[0] = *i as f32;
        f[1] = *u as f32;
        f[2] = *l as f32;
        f[3] = *v as f32;
        d[0] = *i as f64;
        d[1] = *u as f64;
        d[2] = *l as f64;
        d[3] = *v as f64;
    }

    fn narrow(i: &i16, u: &u16, a: &i8, b: &u8, n: &mut [i8; 6], m: &mut [u8; 6], w: &mut [i64; 9], f: &mut [f32; 4]) {
        n[0] = *i as i8;
        n[1] = *b as i8;
        n[2] = !*a;
        n[3] = *a & 15 | (*b >> 3) as i8;
        n[4] = if *a < -3 { *a / 3 } else { -128 };
        n[5] = f[3] as i8;
        m[0] = *u as u8;
        m[1] = *a as u8;
        m[2] = !*b ^ 0xf0;
        m[3] = (*b / 2 + *u as u8 / 3) << 1;
        m[4] |= *b;
        m[5] <<= 3;
        w[0] = i64::from(*a);
        w[1] = i64::from(!*b);
        w[2] = (*a as u8 as i8) as u32 as i64;
        w[3] = i64::from((*i >> 3) & 255);
        w[4] = i64::from(*i as u16) - i64::from(*u as i16);
        w[5] = i64::from(*b > 127) + i64::from(*a > *b as i8);
        w[6] = match *b { 1..=9 => 1, 10 | 200 => 2, 122 => 4, 128.. => 3, _ => 0 };
        w[7] = match (*a, *i) { (-128, _) => 1, (i8::MAX, 0..) => 2, (..=-1, -300..300) => 3, _ => 0 };
        for k in 250..=255u8 { w[8] = w[8] * 3 + i64::from(k); }
        for k in (-128..=127i8).rev() { w[8] ^= i64::from(k); }
        f[0] = f32::from(*a);
        f[1] = *u as f32;
        f[2] = f[3] as u8 as f32;
        f[3] = f[3] as i16 as f32 + (f[3] as u16) as f32;
    }

    fn flags(a: &bool, b: &bool, out: &mut [bool; 10]) {
        out[0] = a & b;
        out[1] = a | b;
        out[2] = a ^ b;
        out[3] = !*a;
        out[4] = a < b;
        out[5] = (a == b) == (a & b);
        out[6] |= *a && *b;
        out[7] ^= *b;
        out[8] = *a && *b || !*a && !*b;
        out[9] = *a & (*b || *a) ^ *b;
    }
}

#[test]
fn casts_of_floats_saturate() {
    let unit = kernel(from_floats::TEXT);
    let ends = [
        2147483648.0,
        2147483647.0,
        -2147483648.0,
        -2147483649.0,
        4294967295.5,
        4294967296.0,
        9223372036854775807.0,
        -9223372036854775808.0,
        1.8446744073709552e19,
        1e19,
        -0.9,
        -1.0,
    ];
    for x in SPECIAL.into_iter().chain(ends) {
        let args = (x, [0i32; 2], [0u32; 2], [0i64; 2], [0u64; 2], [0.0; 3]);
        agree(&unit, &Consts::new(), Scalar::F64, args, |a| {
            from_floats(&a.0, &mut a.1, &mut a.2, &mut a.3, &mut a.4, &mut a.5)
        });
    }
}

#[test]
fn casts_of_integers_agree() {
    let unit = kernel(from_integers::TEXT);
    let mut n = Numbers::new(3);
    let ends = [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, 1 << 31, (1 << 31) - 1, (1 << 53) + 1, (1 << 24) + 1, 1 << 32];
    for bits in ends.into_iter().chain((0..50).map(|_| n.bits())) {
        let args = (bits as i32, bits as u32, bits as i64, bits, bits & 1 == 1, [0i64; 12], [0f32; 4], [0f64; 4]);
        agree(&unit, &Consts::new(), Scalar::F64, args, |a| {
            from_integers(&a.0, &a.1, &a.2, &a.3, &a.4, &mut a.5, &mut a.6, &mut a.7)
        });
    }
}

/// C++ computes with an `int` in place of such values.
#[test]
fn narrow_integers_agree() {
    let unit = kernel(narrow::TEXT);
    let consts = Consts::new();
    let emitted = Emitted::of(&unit, &consts, Scalar::F64);
    let mut numbers = Numbers::new(11);
    let ends = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x807f, 0x7f80, 10, 122, 200];
    let bits = ends.into_iter().flat_map(|a| ends.map(|b| a << 16 | b)).chain((0..200).map(|_| numbers.bits()));
    for bits in bits {
        let [a, b] = [(bits >> 16) as u16, bits as u16];
        for x in [0.0, -0.9, 127.5, 128.0, -128.9, 255.9, 256.0, -32769.0, 65535.5, 1e10, f32::NAN] {
            let args = (a as i16, b, a as i8, b as u8, [7i8; 6], [201u8; 6], [3i64; 9], [x; 4]);
            emitted.agree(args, |t| narrow(&t.0, &t.1, &t.2, &t.3, &mut t.4, &mut t.5, &mut t.6, &mut t.7));
        }
    }
}

#[test]
fn flags_agree() {
    let unit = kernel(flags::TEXT);
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        agree(&unit, &Consts::new(), Scalar::F64, (a, b, [true; 10]), |t| flags(&t.0, &t.1, &mut t.2));
    }
}

/// Results of the operators of an integer type in the text, and the expected ones. There is no native form: a debug
/// build would panic on overflow.
macro_rules! integers {
    ($($test:ident $t:ident $unsigned:ident [$($more:literal)?] [$($expected:expr)?];)*) => {
        $(#[test]
        fn $test() {
            let text = "fn k(a: &T, b: &T, s: &u32, out: &mut [T; 24], bits: &mut [u32; 4], distance: &mut U) {
                out[0] = a + b;
                out[1] = a - b;
                out[2] = a * b;
                out[3] = a / b;
                out[4] = a % b;
                out[5] = a << s;
                out[6] = a >> s;
                out[7] = !*a;
                out[8] = a & b | a ^ b;
                out[9] = a.rem_euclid(*b);
                out[10] = a.pow(*s);
                out[11] = (*a).min(*b).wrapping_add((*a).max(*b));
                out[12] = (*a).clamp(3, 100);
                out[13] = a.wrapping_sub(*b).wrapping_mul(a.wrapping_neg());
                out[14] = (a / 7) * 7 + a % 7;
                out[15] = (a << 3) - (a >> 5);
                out[16] = T::MAX - *a;
                out[17] = T::MIN + *b;
                out[18] <<= *b;
                out[19] -= *a;
                out[20] /= *b;
                out[21] += 2 * (if a < b { 1 } else { 5 });
                bits[0] = a.count_ones();
                bits[1] = a.leading_zeros();
                bits[2] = a.trailing_zeros();
                bits[3] = s - 7;
                *distance = a.abs_diff(*b);
                MORE
            }";
            let text = text.replace("MORE", concat!("", $($more)?)).replace("T::", concat!(stringify!($t), "::"));
            let text = text.replace("&T", concat!("&", stringify!($t))).replace("[T;", concat!("[", stringify!($t), ";"));
            let unit = kernel(&text.replace("&mut U", concat!("&mut ", stringify!($unsigned))));
            let consts = Consts::new();
            let emitted = Emitted::of(&unit, &consts, Scalar::F64);
            let ends = [0, 1, 2, 3, 5, 7, 100, 1000u32 as $t, $t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MIN, $t::MIN + 1, !0, !2, !4];
            for a in ends {
                for b in ends {
                    for s in [0u32, 1, 5, 31, 32, 63, 64, 77, u32::MAX] {
                        let mut out = [9 as $t; 24];
                        let zero = b == 0;
                        out[0] = a.wrapping_add(b);
                        out[1] = a.wrapping_sub(b);
                        out[2] = a.wrapping_mul(b);
                        out[3] = if zero { 0 } else { a.wrapping_div(b) };
                        out[4] = if zero { a } else { a.wrapping_rem(b) };
                        out[5] = a.wrapping_shl(s);
                        out[6] = a.wrapping_shr(s);
                        out[7] = !a;
                        out[8] = a & b | a ^ b;
                        out[9] = if zero { a } else { a.wrapping_rem_euclid(b) };
                        out[10] = a.wrapping_pow(s);
                        out[11] = a.min(b).wrapping_add(a.max(b));
                        out[12] = a.clamp(3, 100);
                        out[13] = a.wrapping_sub(b).wrapping_mul(a.wrapping_neg());
                        out[14] = a;
                        out[15] = (a << 3).wrapping_sub(a >> 5);
                        out[16] = $t::MAX.wrapping_sub(a);
                        out[17] = $t::MIN.wrapping_add(b);
                        out[18] = (9 as $t).wrapping_shl(b as u32);
                        out[19] = (9 as $t).wrapping_sub(a);
                        out[20] = if zero { 0 } else { (9 as $t).wrapping_div(b) };
                        out[21] = 9 + 2 * if a < b { 1 } else { 5 };
                        $(let more: fn($t, &mut [$t; 24]) = $expected;
                        more(a, &mut out);)?
                        let bits = [a.count_ones(), a.leading_zeros(), a.trailing_zeros(), s.wrapping_sub(7)];
                        let unchanged = [a.value(), b.value(), s.value()];
                        let before = [[9 as $t; 24].value(), [0u32; 4].value(), (0 as $unsigned).value()];
                        let after = [out.value(), bits.value(), a.abs_diff(b).value(), Value::Unit];
                        let expected = Value::Tuple([&unchanged[..], &after].concat());
                        let before = [unchanged, before].concat();
                        emitted.runs(&before, &expected);
                    }
                }
            }
        })*
    };
}

integers! {
    i8_wraps i8 u8 ["out[22] = -*a; out[23] = a.abs() ^ a.signum();"]
        [|a, out| { out[22] = a.wrapping_neg(); out[23] = a.wrapping_abs() ^ a.signum(); }];
    i16_wraps i16 u16 ["out[22] = -*a; out[23] = a.abs() ^ a.signum();"]
        [|a, out| { out[22] = a.wrapping_neg(); out[23] = a.wrapping_abs() ^ a.signum(); }];
    u8_wraps u8 u8 [] [];
    u16_wraps u16 u16 [] [];
    i32_wraps i32 u32 ["out[22] = -*a; out[23] = a.abs() ^ a.signum();"]
        [|a, out| { out[22] = a.wrapping_neg(); out[23] = a.wrapping_abs() ^ a.signum(); }];
    i64_wraps i64 u64 ["out[22] = -*a; out[23] = a.abs() ^ a.signum();"]
        [|a, out| { out[22] = a.wrapping_neg(); out[23] = a.wrapping_abs() ^ a.signum(); }];
    u32_wraps u32 u32 [] [];
    u64_wraps u64 u64 [] [];
}

/// Ties go to the smaller payload, and a NaN is never taken, as `op2::ArgMin` has it.
#[test]
fn best_values_are_chosen_as_at_run_time() {
    let unit = kernel(
        "fn k(v: &[f64; 5], n: &[u32; 5], low: &mut ArgMin<f64, (u32, [f32; 2])>, high: &mut ArgMax<f64, [u32; 2]>) {
            for i in 0..5 {
                low.update(v[i], (n[i], [i as f32, 1.0]));
                high.update({ let w = v[i]; w }, [n[i], i as u32]);
            }
        }",
    );
    let low = |v: f64, n: u32, i: f32| (v, (n, [i, 1.0f32])).value();
    let high = |v: f64, n: u32, i: u32| (v, [n, i]).value();
    let cases = [
        ([3.0, 1.0, 1.0, 3.0, 2.0], [5, 4, 3, 2, 1], low(1.0, 3, 2.0), high(3.0, 2, 3)),
        ([3.0, 3.0, 3.0, 3.0, 3.0], [5, 4, 4, 4, 6], low(3.0, 4, 1.0), high(3.0, 4, 1)),
        ([f64::NAN, 2.0, f64::NAN, 2.5, 2.0], [0, 9, 0, 9, 9], low(2.0, 9, 1.0), high(2.5, 9, 3)),
        ([f64::NAN; 5], [0; 5], low(10.0, 7, 8.0), high(-10.0, 7, 8)),
    ];
    for (v, n, lowest, highest) in cases {
        let before = [v.value(), n.value(), low(10.0, 7, 8.0), high(-10.0, 7, 8)];
        let expected = Value::Tuple(vec![v.value(), n.value(), lowest, highest, Value::Unit]);
        Emitted::of(&unit, &Consts::new(), Scalar::F64).runs(&before, &expected);
    }
}
