//! The scalars that lanes are made of.

use super::plain::Plain;
use super::registers::{FloatHold, Hold};
use super::width::Width;

/// A scalar that lanes are made of: `f32 f64 i32 u32 i64 u64 usize`.
pub trait Lane: Copy + PartialOrd + Default + Send + Sync + 'static {
    /// The type that holds its lanes.
    #[doc(hidden)]
    type In<W: Width>: Hold<W, Self>;

    /// Sum; integers wrap.
    #[doc(hidden)]
    fn plus(one: Self, other: Self) -> Self;

    /// Difference; integers wrap.
    #[doc(hidden)]
    fn minus(one: Self, other: Self) -> Self;

    /// The value with the opposite sign; integers wrap.
    #[doc(hidden)]
    fn negated(one: Self) -> Self;
}

/// `f32` or `f64`.
// Its functions do not take `self`: it is a supertrait of `Float`, and the user's `x.abs()` must not become ambiguous.
pub trait FloatLane: Lane {
    /// The same type as [`Lane::In`], with the operations of floats.
    #[doc(hidden)]
    type Floats<W: Width>: FloatHold<W, Self>;

    #[doc(hidden)]
    fn floats<W: Width>(held: Self::In<W>) -> Self::Floats<W>;

    #[doc(hidden)]
    fn held<W: Width>(floats: Self::Floats<W>) -> Self::In<W>;

    /// The constant for this type: `single` for `f32`, `double` for `f64`.
    #[doc(hidden)]
    fn constant(single: f32, double: f64) -> Self;
}

macro_rules! float_lanes {
    ($($ty:ident $held:ident |$single:ident, $double:ident| $constant:ident;)*) => {$(
        impl Lane for $ty {
            type In<W: Width> = W::$held;
            #[inline(always)]
            fn plus(one: $ty, other: $ty) -> $ty {
                one + other
            }
            #[inline(always)]
            fn minus(one: $ty, other: $ty) -> $ty {
                one - other
            }
            #[inline(always)]
            fn negated(one: $ty) -> $ty {
                -one
            }
        }
        impl FloatLane for $ty {
            type Floats<W: Width> = W::$held;
            #[inline(always)]
            fn floats<W: Width>(held: W::$held) -> W::$held {
                held
            }
            #[inline(always)]
            fn held<W: Width>(floats: W::$held) -> W::$held {
                floats
            }
            #[inline(always)]
            fn constant($single: f32, $double: f64) -> $ty {
                $constant
            }
        }
    )*};
}
float_lanes! {
    f32 F32 |single, _double| single;
    f64 F64 |_single, double| double;
}

macro_rules! integer_lanes {
    ($($ty:ident)*) => {$(
        impl Lane for $ty {
            type In<W: Width> = Plain<W, $ty>;
            #[inline(always)]
            fn plus(one: $ty, other: $ty) -> $ty {
                one.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(one: $ty, other: $ty) -> $ty {
                one.wrapping_sub(other)
            }
            #[inline(always)]
            fn negated(one: $ty) -> $ty {
                one.wrapping_neg()
            }
        }
    )*};
}
integer_lanes!(i32 u32 i64 u64 usize);
