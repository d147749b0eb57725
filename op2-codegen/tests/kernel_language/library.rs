//! Library functions, device functions and their results.

use op2_codegen::ir::Scalar;

use crate::{Consts, Numbers, agree, device, kernel, payload, twin};

const WIDTH: usize = 2;

twin! {
    fn floats(x: &f64, y: &f64, out: &mut [f64; 24]) {
        let a = x.abs() + 0.1;
        out[0] = a.sqrt() + a.cbrt() + a.recip();
        out[1] = x.sin() + x.cos() * x.tan();
        out[2] = x.asin() + x.acos() + x.atan();
        out[3] = x.sinh() + x.cosh() + x.tanh();
        out[4] = x.asinh() + (1.0 + a).acosh() + x.atanh();
        out[5] = x.exp() + x.exp2() + x.exp_m1();
        out[6] = a.ln() + a.log2() + a.log10() + a.ln_1p();
        out[7] = a.powf(*y) + x.powi(3) + x.powi(-2);
        out[8] = x.max(*y) - x.min(*y);
        out[9] = f64::max(*x, 0.25) + f64::hypot(*x, *y);
        out[10] = x.atan2(*y) + x.copysign(*y);
        out[11] = (x * 10.0).floor() + (x * 10.0).ceil();
        out[12] = (x * 10.0).round() + (x * 10.0).trunc() + (x * 10.0).fract();
        out[13] = x.signum() + x.mul_add(*y, 1.0);
        out[14] = x.clamp(-0.5, 0.5);
        out[15] = x.to_degrees() + y.to_radians();
        out[16] = if x.is_nan() || x.is_infinite() || !x.is_finite() { 1.0 } else { 0.0 };
        out[17] = if (-x).is_sign_negative() { 3.0 } else { 4.0 };
        out[18] = 2.0_f64.sqrt();
        out[19] = f64::from(x.signum() as f32);
        out[20] = (x % 0.3) + -x.abs();
    }

    fn ints(a: &i32, b: &i32, c: &u64, out: &mut [i64; 14]) {
        out[0] = a.abs() as i64;
        out[1] = a.signum() as i64;
        out[2] = (*a).min(*b) as i64;
        out[3] = i32::max(*a, *b) as i64;
        out[4] = a.abs_diff(*b) as i64;
        out[5] = a.rem_euclid(7) as i64;
        out[6] = (a % 10).pow(3) as i64;
        out[7] = a.wrapping_mul(*b) as i64;
        out[8] = a.wrapping_add(i32::MAX) as i64;
        out[9] = (b.wrapping_sub(*a)).wrapping_neg() as i64;
        out[10] = c.count_ones() as i64;
        out[11] = (c.leading_zeros() + a.trailing_zeros()) as i64;
        out[12] = (*a).clamp(-3, 3) as i64;
        out[13] = usize::from(*a > 0) as i64;
    }

    fn minmod(a: f64, b: f64) -> f64 {
        if a * b <= 0.0 {
            return 0.0;
        }
        if a.abs() < b.abs() { a } else { b }
    }

    fn split(q: &[f64; 3], scale: f64) -> ([f64; WIDTH], f64) {
        let mut flux = [0.0; WIDTH];
        for i in 0..WIDTH {
            flux[i] = q[i] * scale;
        }
        (flux, minmod(q[0], q[2]))
    }

    fn add_to(target: &mut f64, by: f64) {
        *target += by;
    }

    fn newton(x: f64) -> f64 {
        let mut guess = x;
        for _ in 0..40 {
            let next = 0.5 * (guess + x / guess);
            if (next - guess).abs() < f64::EPSILON * x {
                return next;
            }
            guess = next;
        }
        guess
    }

    fn calls(q: &[f64; 3], out: &mut [f64; 4], at: usize) {
        let (flux, limited) = split(q, 2.0);
        add_to(&mut out[at], flux[0] + minmod(flux[1], limited));
        let r = &mut out[3];
        add_to(r, newton(2.0));
        add_to(r, 1.0);
        out[0] += newton(q[0] * q[0] + 1.0);
    }
}

#[test]
fn float_methods_agree() {
    let unit = kernel(floats::TEXT);
    for seed in 1..60 {
        let mut n = Numbers::new(seed);
        agree(&unit, &Consts::new(), Scalar::F64, (n.f64(), n.f64(), [0.0; 24]), |a| floats(&a.0, &a.1, &mut a.2));
    }
}

#[test]
fn integer_methods_agree() {
    let unit = kernel(ints::TEXT);
    for a in [-1_000_000_007, -12, -1, 1, 9, 2_000_000_000] {
        for (b, c) in [(3, 1), (-7, u64::MAX), (40_000, 0x00f0_0000_0000_0100)] {
            agree(&unit, &Consts::new(), Scalar::F64, (a, b, c, [0i64; 14]), |t| ints(&t.0, &t.1, &t.2, &mut t.3));
        }
    }
}

#[test]
fn device_functions_agree() {
    let minmod_payload = payload(minmod::TEXT, &[]);
    let callees = [
        ("split", payload(split::TEXT, &[("minmod", minmod_payload.clone())])),
        ("add_to", payload(add_to::TEXT, &[])),
        ("minmod", minmod_payload),
        ("newton", payload(newton::TEXT, &[])),
    ];
    let payload = payload(calls::TEXT, &callees);
    let kind = op2_codegen::parse::kernel::FnKind::Kernel;
    let unit = op2_codegen::model::build(&payload, kind).unwrap_or_else(|e| panic!("{}", crate::list(e)));
    assert_eq!(unit.funcs.len(), 5, "minmod stands once");
    let consts = Consts::from([("WIDTH", crate::value::ToValue::value(&WIDTH))]);
    for seed in 1..40 {
        let mut n = Numbers::new(seed);
        for at in 0..3 {
            agree(&unit, &consts, Scalar::F64, (n.array(), [0.5; 4], at), |a| calls(&a.0, &mut a.1, a.2));
        }
    }
}

#[test]
fn early_returns_agree() {
    let unit = device(minmod::TEXT, &[]);
    for (a, b) in [(1.0, 2.0), (2.0, 1.0), (-1.0, 2.0), (-3.0, -2.0), (0.0, 1.0)] {
        agree(&unit, &Consts::new(), Scalar::F64, (a, b), |t| minmod(t.0, t.1));
    }
}

#[test]
fn the_table_names_every_method() {
    use op2_codegen::ir::{Domain, Intrinsic};
    let table = include_str!("../../../src/kernel-language.md");
    let row = |start: &str| table.lines().find(|line| line.starts_with(start)).expect("a row of the table");
    let listed = |row: &str, name: &str| row.split([' ', '`']).any(|word| word == name);
    for intrinsic in Intrinsic::ALL {
        let (name, domain) = (intrinsic.name(), intrinsic.domain());
        assert_eq!(listed(row("| float methods"), name), domain != Domain::Int, "{name}");
        assert_eq!(listed(row("| integer methods"), name), domain != Domain::Float, "{name}");
    }
}
