//! The float type parameter of generic kernels.

use crate::data::reduce::{ArgMax, ArgMin, Payload};
use crate::data::table::TableView;
use crate::data::value::{Elem, Value};
use crate::data::view::View;
use crate::data::ways::{ByInc, ByMax, ByMin, CombinedBy};
use crate::lanes::FloatLane;
use crate::mesh::handle::Global;
use std::fmt::{Debug, Display, LowerExp};
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

macro_rules! float_trait {
    (
        consts { $($(#[$cdoc:meta])* $const:ident = $cpath:ident $(:: $crest:ident)*;)* }
        methods { $($(#[$mdoc:meta])* $method:ident($($arg:ident: $argty:ty),*) -> $ret:ty;)* }
    ) => {
        /// `f32` or `f64`: the bound of a generic kernel's type parameter.
        ///
        /// ```
        /// use op2_runtime::Float;
        /// fn half_square<F: Float>(x: F) -> F {
        ///     F::lit(0.5) * x * x
        /// }
        /// assert_eq!(half_square(3.0f32), 4.5);
        /// ```
        ///
        /// It has the methods of the primitive types under the same names, as far as every target of op2 supports them.
        /// Literals are written `F::lit(0.5)`.
        #[diagnostic::on_unimplemented(
            message = "`{Self}` is not a float type",
            label = "expected `f32` or `f64`",
            note = "the type parameter of a generic kernel stands for the type of its floats"
        )]
        pub trait Float:
            CombinedBy<ByInc> + CombinedBy<ByMin> + CombinedBy<ByMax> + Value<Elem = Self> + NearFloat<Float = Self> + FloatLane + Payload + Debug + Display + LowerExp
            + Neg<Output = Self>
            + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
            + Div<Output = Self> + Rem<Output = Self>
            + AddAssign + SubAssign + MulAssign + DivAssign + RemAssign
        {
            $($(#[$cdoc])* const $const: Self;)*
            /// The float nearest to `value`, for literals and constants in generic kernels.
            fn lit(value: f64) -> Self;
            /// The value as `f64`, exactly.
            fn to_f64(self) -> f64;
            $($(#[$mdoc])* fn $method(self $(, $arg: $argty)*) -> $ret;)*
        }
        float_trait!(@impl f32 { $($const = $cpath $(:: $crest)*;)* } { $($method($($arg: $argty),*) -> $ret;)* });
        float_trait!(@impl f64 { $($const = $cpath $(:: $crest)*;)* } { $($method($($arg: $argty),*) -> $ret;)* });
    };
    (@impl $ty:ident { $($const:ident = $cpath:ident $(:: $crest:ident)*;)* } { $($method:ident($($arg:ident: $argty:ty),*) -> $ret:ty;)* }) => {
        #[diagnostic::do_not_recommend]
        impl Float for $ty {
            $(const $const: $ty = float_trait!(@const $ty $cpath $(:: $crest)*);)*
            #[inline(always)]
            fn lit(value: f64) -> $ty { value as $ty }
            #[inline(always)]
            fn to_f64(self) -> f64 { f64::from(self) }
            $(#[inline(always)] fn $method(self $(, $arg: $argty)*) -> $ret { $ty::$method(self $(, $arg)*) })*
        }
    };
    (@const $ty:ident consts :: $name:ident) => { std::$ty::consts::$name };
    (@const $ty:ident $name:ident) => { $ty::$name };
}

float_trait! {
    consts {
        /// Machine epsilon.
        EPSILON = EPSILON;
        /// Most negative finite value.
        MIN = MIN;
        /// Greatest finite value.
        MAX = MAX;
        /// Smallest positive normal value.
        MIN_POSITIVE = MIN_POSITIVE;
        /// Infinity.
        INFINITY = INFINITY;
        /// Negative infinity.
        NEG_INFINITY = NEG_INFINITY;
        /// Not a number.
        NAN = NAN;
        /// π
        PI = consts::PI;
        /// 2π
        TAU = consts::TAU;
        /// π/2
        FRAC_PI_2 = consts::FRAC_PI_2;
        /// Euler's number.
        E = consts::E;
        /// √2
        SQRT_2 = consts::SQRT_2;
        /// ln 2
        LN_2 = consts::LN_2;
    }
    methods {
        /// Absolute value.
        abs() -> Self;
        /// Arc cosine.
        acos() -> Self;
        /// Inverse hyperbolic cosine.
        acosh() -> Self;
        /// Arc sine.
        asin() -> Self;
        /// Inverse hyperbolic sine.
        asinh() -> Self;
        /// Arc tangent.
        atan() -> Self;
        /// Arc tangent of `self / other` in the right quadrant.
        atan2(other: Self) -> Self;
        /// Inverse hyperbolic tangent.
        atanh() -> Self;
        /// Cube root.
        cbrt() -> Self;
        /// Smallest integer not below.
        ceil() -> Self;
        /// Restricted to `[min, max]`.
        clamp(min: Self, max: Self) -> Self;
        /// Magnitude of `self`, sign of `sign`.
        copysign(sign: Self) -> Self;
        /// Cosine.
        cos() -> Self;
        /// Hyperbolic cosine.
        cosh() -> Self;
        /// Exponential.
        exp() -> Self;
        /// Power of two.
        exp2() -> Self;
        /// `exp(x) - 1`, precise near zero.
        exp_m1() -> Self;
        /// Greatest integer not above.
        floor() -> Self;
        /// Fractional part.
        fract() -> Self;
        /// `√(x² + y²)` without overflow.
        hypot(other: Self) -> Self;
        /// Neither infinite nor NaN.
        is_finite() -> bool;
        /// Infinite.
        is_infinite() -> bool;
        /// Not a number.
        is_nan() -> bool;
        /// The sign bit is set.
        is_sign_negative() -> bool;
        /// Natural logarithm.
        ln() -> Self;
        /// `ln(1 + x)`, precise near zero.
        ln_1p() -> Self;
        /// Decimal logarithm.
        log10() -> Self;
        /// Binary logarithm.
        log2() -> Self;
        /// The greater one; if one is NaN, the other.
        max(other: Self) -> Self;
        /// The smaller one; if one is NaN, the other.
        min(other: Self) -> Self;
        /// `self * a + b` with one rounding.
        mul_add(a: Self, b: Self) -> Self;
        /// Power with a float exponent.
        powf(exponent: Self) -> Self;
        /// Power with an integer exponent.
        powi(exponent: i32) -> Self;
        /// Reciprocal.
        recip() -> Self;
        /// Nearest integer, halves away from zero.
        round() -> Self;
        /// ±1 with the sign, NaN for NaN.
        signum() -> Self;
        /// Sine.
        sin() -> Self;
        /// Hyperbolic sine.
        sinh() -> Self;
        /// Square root.
        sqrt() -> Self;
        /// Tangent.
        tan() -> Self;
        /// Hyperbolic tangent.
        tanh() -> Self;
        /// Radians to degrees.
        to_degrees() -> Self;
        /// Degrees to radians.
        to_radians() -> Self;
        /// Integer part.
        trunc() -> Self;
    }
}

/// A scalar, mapped to itself if it is a float.
pub trait NearFloat {
    /// The scalar itself, or some float.
    type Float: Float;
}

macro_rules! near_floats {
    ($($scalar:ident $float:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl NearFloat for $scalar {
            type Float = $float;
        }
    )*};
}
near_floats!(f32 f32; f64 f64; i8 f64; u8 f64; i16 f64; u16 f64; i32 f64; u32 f64; i64 f64; u64 f64; bool f64;);

/// An argument's bound value, which tells the parameters of a generic kernel.
pub trait Tells {
    /// The scalar type of the argument.
    type Scalar;
    /// The type of its values.
    type Value;
}

impl<V: Value> Tells for V {
    type Scalar = V::Elem;
    type Value = V;
}
impl<V: Value> Tells for View<V> {
    type Scalar = V::Elem;
    type Value = V;
}
impl<V: Value> Tells for Option<View<V>> {
    type Scalar = V::Elem;
    type Value = V;
}
impl<S, V: Value> Tells for TableView<S, V> {
    type Scalar = V::Elem;
    type Value = V;
}
impl<S, V: Value> Tells for Option<TableView<S, V>> {
    type Scalar = V::Elem;
    type Value = V;
}
impl<V: Elem, P: Payload> Tells for ArgMin<V, P> {
    type Scalar = V;
    type Value = V;
}
impl<V: Elem, P: Payload> Tells for ArgMax<V, P> {
    type Scalar = V;
    type Value = V;
}

/// A global that is reduced into is bound as such.
impl<G: Tells> Tells for Global<G> {
    type Scalar = G::Scalar;
    type Value = G::Value;
}

/// The type of the values of one of the loop's arguments.
#[inline(always)]
pub fn value_of<T: Tells>(_argument: &T) -> PhantomData<T::Value> {
    PhantomData
}

/// The float type of a generic kernel, inferred from one of the loop's arguments.
#[inline(always)]
pub fn float_of<T: Tells>(_argument: &T) -> PhantomData<T::Scalar> {
    PhantomData
}

/// The same, but some float where the argument has no floats, in a loop that does not compile anyway.
#[inline(always)]
pub fn float_near<T: Tells<Scalar: NearFloat>>(_argument: &T) -> PhantomData<<T::Scalar as NearFloat>::Float> {
    PhantomData
}
