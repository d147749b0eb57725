//! Lanes of a scalar.

use super::lane::{FloatLane, Lane};
use super::mask::Mask;
use super::registers::{FloatHold, Hold};
use super::width::Width;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Lanes of a scalar: one value for each element that goes at once.
#[derive(Clone, Copy)]
pub struct V<W: Width, T: Lane> {
    pub(super) w: W,
    pub(super) held: T::In<W>,
}

impl<W: Width, T: Lane> V<W, T> {
    /// Where it is less.
    #[inline(always)]
    pub fn lt(self, other: Self) -> Mask<W> {
        Mask { w: self.w, bits: self.held.lt(other.held) }
    }

    /// Where it is less or equal.
    #[inline(always)]
    pub fn le(self, other: Self) -> Mask<W> {
        Mask { w: self.w, bits: self.held.le(other.held) }
    }

    /// Where it is greater.
    #[inline(always)]
    pub fn gt(self, other: Self) -> Mask<W> {
        other.lt(self)
    }

    /// Where it is greater or equal.
    #[inline(always)]
    pub fn ge(self, other: Self) -> Mask<W> {
        other.le(self)
    }

    /// Where it is equal; a NaN never is.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Mask<W> {
        Mask { w: self.w, bits: self.held.equals(other.held) }
    }

    /// Where it is not equal; a NaN always is not.
    #[inline(always)]
    pub fn differs(self, other: Self) -> Mask<W> {
        !self.equals(other)
    }

    /// The value of one lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> T {
        self.held.lane(lane)
    }

    /// Sums; those of integers wrap.
    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        V { w: self.w, held: self.held.add(other.held) }
    }

    /// Differences; those of integers wrap.
    #[inline(always)]
    pub(super) fn minus(self, other: Self) -> Self {
        V { w: self.w, held: self.held.sub(other.held) }
    }

    /// With the other sign; integers wrap.
    #[inline(always)]
    pub(super) fn negated(self) -> Self {
        V { w: self.w, held: self.held.neg() }
    }

    #[inline(always)]
    pub(super) fn splat(w: W, one: T) -> Self {
        V { w, held: Hold::splat(w, one) }
    }

    /// # Safety
    /// As many scalars as there are lanes may be read there.
    #[inline(always)]
    pub(super) unsafe fn load(w: W, from: *const T) -> Self {
        // SAFETY: passed on to the caller.
        V { w, held: unsafe { Hold::load(w, from) } }
    }

    /// # Safety
    /// As many scalars as there are lanes may be written there.
    #[inline(always)]
    pub(super) unsafe fn store(self, to: *mut T) {
        // SAFETY: passed on to the caller.
        unsafe { self.held.store(to) }
    }
}

impl<W: Width, T: FloatLane> V<W, T> {
    #[inline(always)]
    fn floats(self) -> T::Floats<W> {
        T::floats(self.held)
    }

    #[inline(always)]
    fn of(w: W, floats: T::Floats<W>) -> Self {
        V { w, held: T::held(floats) }
    }

    /// Restricted to `[min, max]`; a NaN stays one.
    ///
    /// Unlike the scalar function it does not panic where the bounds are in the wrong order or no numbers: on lanes
    /// that a branch leaves out, anything may stand. There, the upper bound comes last.
    #[inline(always)]
    pub fn clamp(self, min: Self, max: Self) -> Self {
        let raised = select(self.lt(min), min, self);
        select(raised.gt(max), max, raised)
    }

    /// The part behind the point, with the sign of the value.
    #[inline(always)]
    pub fn fract(self) -> Self {
        self - self.trunc()
    }

    /// Where it is not a number.
    #[inline(always)]
    pub fn is_nan(self) -> Mask<W> {
        self.differs(self)
    }

    /// Where the sign bit is set, also of a NaN.
    #[inline(always)]
    pub fn is_sign_negative(self) -> Mask<W> {
        Mask { w: self.w, bits: self.floats().is_sign_negative() }
    }
}

/// What depends on constants of the type.
macro_rules! with_constants {
    ($($(#[$doc:meta])* $name:ident -> $out:ty: |$value:ident, $constant:ident| $body:expr, $f32:expr, $f64:expr;)*) => {
        impl<W: Width, T: FloatLane> V<W, T> {$(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name(self) -> $out {
                let $value = self;
                let $constant = V::splat(self.w, T::constant($f32, $f64));
                $body
            }
        )*}
    };
}
with_constants! {
    /// One divided by it.
    recip -> Self: |x, one| one / x, 1.0, 1.0;
    /// ±1 with the sign, NaN for NaN.
    signum -> Self: |x, one| select(x.is_nan(), x, one.copysign(x)), 1.0, 1.0;
    /// Radians to degrees.
    to_degrees -> Self: |x, factor| x * factor, const { 1f32.to_degrees() }, const { 1f64.to_degrees() };
    /// Degrees to radians.
    to_radians -> Self: |x, factor| x * factor, const { 1f32.to_radians() }, const { 1f64.to_radians() };
    /// Where it is neither infinite nor a NaN.
    is_finite -> Mask<W>: |x, infinity| x.abs().lt(infinity), f32::INFINITY, f64::INFINITY;
    /// Where it is infinite.
    is_infinite -> Mask<W>: |x, infinity| x.abs().equals(infinity), f32::INFINITY, f64::INFINITY;
}

macro_rules! float_methods {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*);)*) => {
        impl<W: Width, T: FloatLane> V<W, T> {$(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name(self $(, $other: Self)*) -> Self {
                V::of(self.w, self.floats().$name($($other.floats()),*))
            }
        )*}
    };
}
float_methods! {
    /// Absolute value.
    abs();
    /// Square root.
    sqrt();
    /// The smaller; a NaN gives way to the other.
    min(other);
    /// The greater; a NaN gives way to the other.
    max(other);
    /// Greatest integer not above.
    floor();
    /// Smallest integer not below.
    ceil();
    /// Integer part.
    trunc();
    /// Nearest integer, halves away from zero.
    round();
    /// `self * factor + addend` with one rounding.
    mul_add(factor, addend);
    /// Magnitude of `self`, sign of `sign`.
    copysign(sign);
}

macro_rules! operators {
    ($($trait:ident $method:ident;)*) => {$(
        impl<W: Width, T: FloatLane> $trait for V<W, T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                V::of(self.w, self.floats().$method(other.floats()))
            }
        }
    )*};
}
operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl<W: Width, T: FloatLane> Neg for V<W, T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        V::of(self.w, self.floats().neg())
    }
}

#[inline(always)]
pub(super) fn select<W: Width, T: Lane>(mask: Mask<W>, yes: V<W, T>, no: V<W, T>) -> V<W, T> {
    V { w: yes.w, held: Hold::select(mask.bits, yes.held, no.held) }
}

impl<W: Width, T: Lane + fmt::Debug> fmt::Debug for V<W, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..W::LANES).map(|lane| self.lane(lane))).finish()
    }
}
