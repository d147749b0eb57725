//! Lanes of a scalar.

use super::held::Width;
use super::held::{FloatHold, Hold};
use super::held::{FloatLane, Lane};
use super::mask::Mask;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Lanes of a scalar: one value for each element of a pack.
#[derive(Clone, Copy)]
pub struct V<W: Width, T: Lane> {
    pub(super) w: W,
    pub(super) held: T::In<W>,
}

impl<W: Width, T: Lane> V<W, T> {
    /// The lanes on which `self` is less.
    #[inline(always)]
    pub fn lt(self, other: Self) -> Mask<W> {
        Mask { w: self.w, bits: self.held.lt(other.held) }
    }

    /// The lanes on which `self` is less or equal.
    #[inline(always)]
    pub fn le(self, other: Self) -> Mask<W> {
        Mask { w: self.w, bits: self.held.le(other.held) }
    }

    /// The lanes on which `self` is greater.
    #[inline(always)]
    pub fn gt(self, other: Self) -> Mask<W> {
        other.lt(self)
    }

    /// The lanes on which `self` is greater or equal.
    #[inline(always)]
    pub fn ge(self, other: Self) -> Mask<W> {
        other.le(self)
    }

    /// The lanes on which both are equal; a NaN equals nothing.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Mask<W> {
        Mask { w: self.w, bits: self.held.equals(other.held) }
    }

    /// The lanes on which both differ; a NaN differs from everything.
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

    /// The value with the opposite sign; integers wrap.
    #[inline(always)]
    pub(super) fn negated(self) -> Self {
        V { w: self.w, held: self.held.neg() }
    }

    #[inline(always)]
    pub(super) fn splat(w: W, one: T) -> Self {
        V { w, held: Hold::splat(w, one) }
    }

    /// # Safety
    /// `W::LANES` scalars may be read at `from`.
    #[inline(always)]
    pub(super) unsafe fn load(w: W, from: *const T) -> Self {
        // SAFETY: passed on to the caller.
        V { w, held: unsafe { Hold::load(w, from) } }
    }

    /// # Safety
    /// `W::LANES` scalars may be written at `to`.
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
    /// Unlike the scalar function it does not panic where `min > max` or a bound is NaN: lanes that a branch left out
    /// may hold any value. With such bounds the upper one wins.
    #[inline(always)]
    pub fn clamp(self, min: Self, max: Self) -> Self {
        let raised = select(self.lt(min), min, self);
        select(raised.gt(max), max, raised)
    }

    /// The fractional part, with the sign of the value.
    #[inline(always)]
    pub fn fract(self) -> Self {
        self - self.trunc()
    }

    /// The lanes that hold NaN.
    #[inline(always)]
    pub fn is_nan(self) -> Mask<W> {
        self.differs(self)
    }

    /// The lanes whose sign bit is set, also that of a NaN.
    #[inline(always)]
    pub fn is_sign_negative(self) -> Mask<W> {
        Mask { w: self.w, bits: self.floats().is_sign_negative() }
    }
}

/// Methods that need a constant of the float type.
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
    /// One divided by the value.
    recip -> Self: |x, one| one / x, 1.0, 1.0;
    /// ±1 with the sign, NaN for NaN.
    signum -> Self: |x, one| select(x.is_nan(), x, one.copysign(x)), 1.0, 1.0;
    /// Radians to degrees.
    to_degrees -> Self: |x, factor| x * factor, const { 1f32.to_degrees() }, const { 1f64.to_degrees() };
    /// Degrees to radians.
    to_radians -> Self: |x, factor| x * factor, const { 1f32.to_radians() }, const { 1f64.to_radians() };
    /// The lanes that are neither infinite nor NaN.
    is_finite -> Mask<W>: |x, infinity| x.abs().lt(infinity), f32::INFINITY, f64::INFINITY;
    /// The lanes that are infinite.
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
    /// The smaller one; if one is NaN, the other.
    min(other);
    /// The greater one; if one is NaN, the other.
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
