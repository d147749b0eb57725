//! Results flattened to scalars, so that all results of bodies can be compared.

use std::fmt;

/// A result as a row of scalars.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record(Vec<Scalar>);

/// One scalar of a result.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scalar {
    /// The start of the part with this number.
    Part(usize),
    /// An integer or a flag, compared exactly.
    Exact(i128),
    /// A float, compared up to rounding in single precision.
    Single(f32),
    /// A float, compared up to rounding in double precision.
    Double(f64),
    /// A missing value.
    Nothing,
}

/// A result that a test body may return.
pub(crate) trait Recorded {
    fn record(&self, to: &mut Vec<Scalar>);
}

/// Bounds on the differences between sums of a thousand numbers in -1..1 in different orders, relative to the greater
/// of 1 and the sum.
const SINGLE_ROUNDING: f64 = 2e-4;
const DOUBLE_ROUNDING: f64 = 1e-12;

impl Record {
    pub(crate) fn of(result: &impl Recorded) -> Self {
        let mut scalars = Vec::new();
        result.record(&mut scalars);
        Record(scalars)
    }

    /// Compares the results, floats up to rounding. The error tells where they differ.
    pub(crate) fn agrees(&self, expected: &Record) -> Result<(), String> {
        self.compare(expected, |a, b| match (a, b) {
            (Scalar::Single(a), Scalar::Single(b)) => close(f64::from(a), f64::from(b), SINGLE_ROUNDING),
            (Scalar::Double(a), Scalar::Double(b)) => close(a, b, DOUBLE_ROUNDING),
            _ => a == b,
        })
    }

    /// Compares the results to the last bit, except for the bits of NaNs, which Rust leaves open. The error tells where
    /// they differ.
    pub(crate) fn is_identical(&self, expected: &Record) -> Result<(), String> {
        self.compare(expected, |a, b| match (a, b) {
            (Scalar::Single(a), Scalar::Single(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Scalar::Double(a), Scalar::Double(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            _ => a == b,
        })
    }

    fn compare(&self, expected: &Record, same: impl Fn(Scalar, Scalar) -> bool) -> Result<(), String> {
        let (found, expected) = (&self.0, &expected.0);
        if found.len() != expected.len() {
            return Err(format!("found {} scalars, expected {}", found.len(), expected.len()));
        }
        let (mut part, mut start) = (0, 0);
        for (at, (&a, &b)) in found.iter().zip(expected).enumerate() {
            if let Scalar::Part(n) = a {
                (part, start) = (n, at + 1);
            }
            if !same(a, b) {
                return Err(format!("scalar {} of part {part} is {a:?}, expected {b:?}", at - start));
            }
        }
        Ok(())
    }
}

fn close(a: f64, b: f64, rounding: f64) -> bool {
    let size = a.abs().max(b.abs()).max(1.0);
    a == b || (a - b).abs() <= rounding * size || (a.is_nan() && b.is_nan())
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Part(n) => write!(f, "part {n}"),
            Scalar::Exact(value) => write!(f, "{value}"),
            Scalar::Single(value) => write!(f, "{value:?}"),
            Scalar::Double(value) => write!(f, "{value:?}"),
            Scalar::Nothing => write!(f, "nothing"),
        }
    }
}

macro_rules! recorded_scalars {
    ($($ty:ident $variant:ident;)*) => {$(
        impl Recorded for $ty {
            fn record(&self, to: &mut Vec<Scalar>) {
                to.push(Scalar::$variant((*self).into()));
            }
        }
    )*};
}
recorded_scalars! {
    bool Exact;
    i8 Exact;
    u8 Exact;
    i16 Exact;
    u16 Exact;
    i32 Exact;
    u32 Exact;
    i64 Exact;
    u64 Exact;
    f32 Single;
    f64 Double;
}

impl Recorded for usize {
    fn record(&self, to: &mut Vec<Scalar>) {
        (*self as u64).record(to);
    }
}

impl<V: Recorded, const N: usize> Recorded for [V; N] {
    fn record(&self, to: &mut Vec<Scalar>) {
        self.iter().for_each(|v| v.record(to));
    }
}

impl<V: Recorded> Recorded for Vec<V> {
    fn record(&self, to: &mut Vec<Scalar>) {
        self.iter().for_each(|v| v.record(to));
    }
}

impl<V: Recorded> Recorded for Option<V> {
    fn record(&self, to: &mut Vec<Scalar>) {
        match self {
            Some(v) => v.record(to),
            None => to.push(Scalar::Nothing),
        }
    }
}

macro_rules! recorded_tuple {
    ($($name:ident $n:tt)*) => {
        impl<$($name: Recorded),*> Recorded for ($($name,)*) {
            fn record(&self, to: &mut Vec<Scalar>) {
                $(
                    to.push(Scalar::Part($n));
                    self.$n.record(to);
                )*
            }
        }
    };
}
recorded_tuple!(A 0 B 1);
recorded_tuple!(A 0 B 1 C 2);
recorded_tuple!(A 0 B 1 C 2 D 3);
recorded_tuple!(A 0 B 1 C 2 D 3 E 4);
recorded_tuple!(A 0 B 1 C 2 D 3 E 4 F 5);
recorded_tuple!(A 0 B 1 C 2 D 3 E 4 F 5 G 6);
