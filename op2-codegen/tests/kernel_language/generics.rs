//! Kernels and device functions generic over the float type.

use std::ops::{Add, Div, Mul, Neg, Sub};

use op2_codegen::ir::{Scalar, Ty, print};
use op2_codegen::model;
use op2_codegen::parse::kernel::FnKind;

use crate::value::ToValue;
use crate::{Consts, Numbers, agree, payload};

/// As much of `op2::Float` as the kernels below use.
trait Float:
    Copy
    + PartialOrd
    + ToValue
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    const EPSILON: Self;
    fn lit(x: f64) -> Self;
    fn sqrt(self) -> Self;
    fn max(self, other: Self) -> Self;
}

macro_rules! float {
    ($($t:ident)*) => {
        $(impl Float for $t {
            const EPSILON: $t = $t::EPSILON;
            fn lit(x: f64) -> $t { x as $t }
            fn sqrt(self) -> $t { self.sqrt() }
            fn max(self, other: $t) -> $t { self.max(other) }
        })*
    };
}

float!(f32 f64);

const GAM: f64 = 1.4;

macro_rules! twin_generic {
    ($(fn $name:ident<F: Float> $params:tt $(-> $ret:ty)? $body:block)+) => {
        $(
            fn $name<F: Float> $params $(-> $ret)? $body
            mod $name {
                pub(super) const TEXT: &str =
                    stringify!(fn $name<F: Float> $params $(-> $ret)? $body);
            }
        )+
    };
}

twin_generic! {
    fn norm<F: Float>(a: &[F; 2]) -> F {
        (a[0] * a[0] + a[1] * a[1]).sqrt()
    }

    fn smooth<F: Float>(x: &[F; 2], y: &[F; 2], out: &mut F) {
        let scale = F::lit(0.5) * F::lit(GAM);
        let d = [x[0] - y[0], x[1] - y[1]];
        *out = F::max(norm(&d) * scale, F::EPSILON) - -*out;
    }
}

#[test]
fn both_types_agree() {
    let payload = payload(smooth::TEXT, &[("norm", payload(norm::TEXT, &[]))]);
    let unit = model::build(&payload, FnKind::Kernel).unwrap_or_else(|e| panic!("{}", crate::list(e)));
    let consts = Consts::from([("GAM", GAM.value())]);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        let (x, y): ([f64; 2], [f64; 2]) = (n.array(), n.array());
        agree(&unit, &consts, Scalar::F64, (x, y, 0.25), |a| smooth(&a.0, &a.1, &mut a.2));
        let (x, y) = (x.map(|v| v as f32), y.map(|v| v as f32));
        agree(&unit, &consts, Scalar::F32, (x, y, 0.25f32), |a| smooth(&a.0, &a.1, &mut a.2));
    }
}

#[test]
fn a_device_function_stands_once_per_float_type() {
    let text = "fn k(a: &[f32; 2], b: &[f64; 2], o: &mut f32, p: &mut f64) {
        *o = norm(a) + norm(a); *p = norm(b); }";
    let payload = payload(text, &[("norm", payload(norm::TEXT, &[]))]);
    let unit = model::build(&payload, FnKind::Kernel).unwrap_or_else(|e| panic!("{}", crate::list(e)));
    let results: Vec<Ty> = unit.funcs[1..].iter().map(|f| f.ret.clone()).collect();
    assert_eq!(results, [Ty::Scalar(Scalar::F32), Ty::Scalar(Scalar::F64)]);
    let shown = print::unit(&unit);
    assert!(shown.contains("(norm@1(a#0) + norm@1(a#0))"), "{shown}");
    assert!(unit.funcs.iter().all(|f| f.floats.is_empty()));
    crate::assert_typed(&unit);
}
