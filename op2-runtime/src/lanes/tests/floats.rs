use super::{Check, on_all_widths};
use crate::lanes::float::Float;
use crate::lanes::{Mask, V, Width, each};
use std::marker::PhantomData;

/// The values of a type at which operations may differ.
trait Extremes: Float {
    fn extremes() -> Vec<Self>;
    fn bits(self) -> u64;
}

macro_rules! extremes {
    ($($ty:ident $whole:expr;)*) => {$(
        impl Extremes for $ty {
            fn extremes() -> Vec<$ty> {
                let tiny = $ty::from_bits(1);
                let subnormal = $ty::MIN_POSITIVE / 4.0;
                // The greatest values with a fraction, and the first without.
                let whole: $ty = $whole;
                let mut values = vec![
                    0.0, tiny, subnormal, $ty::MIN_POSITIVE, 0.25, 0.49, (0.5 as $ty).next_down(), 0.5, (0.5 as $ty).next_up(),
                    0.999, 1.0, 1.5, 2.5, 3.5, 4.49, 3.0, 7.3, 1e-20, 1e20, whole / 2.0 - 0.5, whole / 2.0 + 0.5, whole - 1.0,
                    whole, whole + 1.0, whole + 2.0, $ty::MAX, $ty::INFINITY, $ty::NAN,
                ];
                let negative: Vec<_> = values.iter().map(|x| -x).collect();
                values.extend(negative);
                values
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}
extremes! {
    f32 (1u32 << 23) as f32;
    f64 (1u64 << 52) as f64;
}

/// Rust leaves open which NaN an operation on NaNs returns.
#[track_caller]
fn same<T: Extremes>(found: T, expected: T, what: &str) {
    let same = found.bits() == expected.bits() || (found.is_nan() && expected.is_nan());
    assert!(same, "{what}: found {found:?}, expected {expected:?}");
}

/// Checks operations on one, two and three floats, and those that return flags, for all values, all pairs or many
/// triples.
macro_rules! operations {
    (
        unary { $($unary:ident)* }
        binary { $($binary:ident)* }
        flags { $($flag:ident)* }
        compare { $($compare:ident $operator:tt)* }
        operators { $($operator2:tt)* }
    ) => {
        struct Unary<T>(PhantomData<T>);
        impl<T: Extremes> Check for Unary<T> {
            fn check<W: Width>(&self, w: W) {
                let values = T::extremes();
                for start in 0..values.len() {
                    let at = |lane: usize| values[(start + lane) % values.len()];
                    let x: V<W, T> = each(w, at);
                    let (negated, one_by_one) = (-x, |lane| -at(lane));
                    for lane in 0..W::LANES {
                        let what = |name: &str| format!("{name} of {:?} on {} lanes", at(lane), W::LANES);
                        assert_eq!(negated.lane(lane).bits(), one_by_one(lane).bits(), "{}", what("neg"));
                        assert_eq!(x.abs().lane(lane).bits(), at(lane).abs().bits(), "{}", what("abs"));
                        $(same(x.$unary().lane(lane), at(lane).$unary(), &what(stringify!($unary)));)*
                        $(assert_eq!(x.$flag().lane(lane), at(lane).$flag(), "{}", what(stringify!($flag)));)*
                    }
                }
            }
        }

        struct Binary<T>(PhantomData<T>);
        impl<T: Extremes> Check for Binary<T> {
            fn check<W: Width>(&self, w: W) {
                let values = T::extremes();
                for a in &values {
                    for start in (0..values.len()).step_by(W::LANES) {
                        let at = |lane: usize| values[(start + lane) % values.len()];
                        let (x, y): (V<W, T>, V<W, T>) = (each(w, |_| *a), each(w, at));
                        for lane in 0..W::LANES {
                            let b = at(lane);
                            let what = |name: &str| format!("{name} of {a:?} and {b:?} on {} lanes", W::LANES);
                            $(same(x.$binary(y).lane(lane), std::hint::black_box(*a).$binary(b), &what(stringify!($binary)));)*
                            $(same((x $operator2 y).lane(lane), *a $operator2 b, &what(stringify!($operator2)));)*
                            $(assert_eq!(x.$compare(y).lane(lane), *a $operator b, "{}", what(stringify!($operator)));)*
                        }
                    }
                }
            }
        }
    };
}
operations! {
    unary { sqrt floor ceil trunc round fract recip signum to_degrees to_radians }
    binary { min max copysign }
    flags { is_nan is_finite is_infinite is_sign_negative }
    compare { lt < le <= gt > ge >= equals == differs != }
    operators { + - * / }
}

struct Ternary<T>(PhantomData<T>);
impl<T: Extremes> Check for Ternary<T> {
    fn check<W: Width>(&self, w: W) {
        let values = T::extremes();
        for a in &values {
            for b in &values {
                for start in (0..values.len()).step_by(W::LANES) {
                    let at = |lane: usize| values[(start + lane) % values.len()];
                    let (x, y, z): (V<W, T>, V<W, T>, V<W, T>) = (each(w, |_| *a), each(w, |_| *b), each(w, at));
                    let (fused, clamped) = (x.mul_add(y, z), z.clamp(x, y));
                    for lane in 0..W::LANES {
                        let c = at(lane);
                        let what = format!("of {a:?}, {b:?}, {c:?} on {} lanes", W::LANES);
                        same(fused.lane(lane), a.mul_add(*b, c), &format!("mul_add {what}"));
                        if a <= b {
                            same(clamped.lane(lane), c.clamp(*a, *b), &format!("clamp {what}"));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn floats_are_those_of_single_elements() {
    on_all_widths(&Unary::<f64>(PhantomData));
    on_all_widths(&Unary::<f32>(PhantomData));
}

#[test]
fn pairs_of_floats_are_those_of_single_elements() {
    on_all_widths(&Binary::<f64>(PhantomData));
    on_all_widths(&Binary::<f32>(PhantomData));
}

#[test]
fn triples_of_floats_are_those_of_single_elements() {
    on_all_widths(&Ternary::<f64>(PhantomData));
    on_all_widths(&Ternary::<f32>(PhantomData));
}

/// A product followed by a sum keeps both roundings.
#[test]
fn nothing_is_contracted() {
    struct Contraction;
    impl Check for Contraction {
        fn check<W: Width>(&self, w: W) {
            let at = |lane: usize| 1.0 + (lane as f64 + 1.0) * f64::EPSILON;
            let x: V<W, f64> = each(w, at);
            let difference = x * x - each(w, |lane| at(lane) * at(lane));
            assert!(difference.equals(each(w, |_| 0.0)).all());
            assert!(x.mul_add(x, -(x * x)).differs(each(w, |_| 0.0)).any(), "mul_add has one rounding");
        }
    }
    on_all_widths(&Contraction);
}

#[test]
fn integers_compare_lane_by_lane() {
    struct Integers;
    impl Check for Integers {
        fn check<W: Width>(&self, w: W) {
            let (a, b): (V<W, i64>, V<W, i64>) = (each(w, |lane| lane as i64 - 2), each(w, |lane| 1 - lane as i64 % 3));
            let flags = [a.lt(b), a.le(b), a.gt(b), a.ge(b), a.equals(b), a.differs(b)];
            for lane in 0..W::LANES {
                let (a, b) = (a.lane(lane), b.lane(lane));
                assert_eq!(flags.map(|mask: Mask<W>| mask.lane(lane)), [a < b, a <= b, a > b, a >= b, a == b, a != b]);
            }
        }
    }
    on_all_widths(&Integers);
}
