//! The scalars that lanes are made of.

use super::held::{FloatLane, Lane, Width};
use super::plain::Plain;

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
integer_lanes!(i8 u8 i16 u16 i32 u32 i64 u64 usize);
