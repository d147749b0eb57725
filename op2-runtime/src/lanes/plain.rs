//! Lanes in an array, for scalars without vectors: every operation goes lane by lane.

use super::arrays::array;
use super::held::{Bits, FloatHold, Hold, Lane, Transpose, Width};

/// Lanes in an array.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Plain<W: Width, T: Copy> {
    w: W,
    each: W::Each<T>,
}

impl<W: Width, T: Copy> Plain<W, T> {
    #[inline(always)]
    fn at(&self, lane: usize) -> T {
        self.each.as_ref()[lane]
    }

    #[inline(always)]
    fn map(self, mut f: impl FnMut(T) -> T) -> Self {
        Plain { w: self.w, each: self.w.each(|lane| f(self.at(lane))) }
    }

    #[inline(always)]
    fn zip(self, other: Self, mut f: impl FnMut(T, T) -> T) -> Self {
        Plain { w: self.w, each: self.w.each(|lane| f(self.at(lane), other.at(lane))) }
    }

    #[inline(always)]
    fn holds(self, other: Self, mut f: impl FnMut(T, T) -> bool) -> W::Bits {
        let bit = |bits, lane| bits | u64::from(f(self.at(lane), other.at(lane))) << lane;
        Bits::from_bits(self.w, (0..W::LANES).fold(0, bit))
    }
}

impl<W: Width, T: Lane> Hold<W, T> for Plain<W, T> {
    #[inline(always)]
    fn splat(w: W, one: T) -> Self {
        Plain { w, each: w.each(|_| one) }
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> T {
        self.at(lane)
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, one: T) {
        self.each.as_mut()[lane] = one;
    }
    #[inline(always)]
    fn select(mask: W::Bits, yes: Self, no: Self) -> Self {
        let bits = mask.to_bits();
        Plain { w: yes.w, each: yes.w.each(|lane| if bits >> lane & 1 == 1 { yes.at(lane) } else { no.at(lane) }) }
    }
    #[inline(always)]
    fn lt(self, other: Self) -> W::Bits {
        self.holds(other, |a, b| a < b)
    }
    #[inline(always)]
    fn le(self, other: Self) -> W::Bits {
        self.holds(other, |a, b| a <= b)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> W::Bits {
        self.holds(other, |a, b| a == b)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, T::plus)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, T::minus)
    }
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(T::negated)
    }
    #[inline(always)]
    unsafe fn load(w: W, from: *const T) -> Self {
        // SAFETY: passed on to the caller.
        Plain { w, each: unsafe { from.cast::<W::Each<T>>().read_unaligned() } }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: passed on to the caller.
        unsafe { to.cast::<W::Each<T>>().write_unaligned(self.each) }
    }
}

macro_rules! plain_transposes {
    ($($take:ident $put:ident $count:literal;)*) => {
        impl<W: Width, T: Lane> Transpose<W, T> for Plain<W, T> {$(
            #[inline(always)]
            unsafe fn $take(w: W, rows: &[*const T]) -> [Self; $count] {
                // SAFETY: passed on to the caller.
                unsafe { take::<W, T, Self, $count>(w, rows) }
            }
            #[inline(always)]
            unsafe fn $put(_w: W, vectors: [Self; $count], rows: &[*mut T]) {
                // SAFETY: passed on to the caller.
                unsafe { put::<W, T, Self, $count>(vectors, rows) }
            }
        )*}
    };
}
plain_transposes! {
    take4 put4 4;
    take2 put2 2;
}

macro_rules! plain_floats {
    ($($ty:ident)*) => {$(
        impl<W: Width> FloatHold<W, $ty> for Plain<W, $ty> {
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.zip(other, |a, b| a * b)
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self.zip(other, |a, b| a / b)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.map($ty::abs)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.map($ty::sqrt)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self.map($ty::floor)
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                self.map($ty::ceil)
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                self.map($ty::trunc)
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.map($ty::round)
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.zip(other, $ty::min)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.zip(other, $ty::max)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                self.zip(sign, $ty::copysign)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                Plain { w: self.w, each: self.w.each(|l| self.at(l).mul_add(factor.at(l), addend.at(l))) }
            }
            #[inline(always)]
            fn is_sign_negative(self) -> W::Bits {
                self.holds(self, |a, _| a.is_sign_negative())
            }
        }
    )*};
}
plain_floats!(f32 f64);

/// Vectors of the first `N` scalars of each row.
///
/// # Safety
/// There is a row for each lane, and `N` scalars may be read from each.
#[inline(always)]
pub(super) unsafe fn take<W: Width, T: Lane, H: Hold<W, T>, const N: usize>(w: W, rows: &[*const T]) -> [H; N] {
    array(|c| {
        // SAFETY: passed on to the caller.
        let each = w.each(|lane| unsafe { *rows[lane].add(c) });
        // SAFETY: it has as many scalars as there are lanes.
        unsafe { H::load(w, each.as_ref().as_ptr()) }
    })
}

/// Loads the first scalar of each row, by volatile reads: from ordinary loads compilers would make a gather, which is
/// slower than single loads on most processors (Zen 4, and Intel's with mitigations of gather leaks).
///
/// # Safety
/// There is a row for each lane, and a scalar may be read from each.
#[inline(always)]
pub(super) unsafe fn take1<W: Width, T: Lane>(w: W, rows: &[*const T]) -> T::In<W> {
    // SAFETY: passed on to the caller.
    let each = w.each(|lane| unsafe { rows[lane].read_volatile() });
    // SAFETY: it has as many scalars as there are lanes.
    unsafe { T::In::load(w, each.as_ref().as_ptr()) }
}

/// Writes the lanes of `N` vectors to the first `N` scalars of each row.
///
/// # Safety
/// There is a row for each lane, and `N` scalars may be written to each.
#[inline(always)]
pub(super) unsafe fn put<W: Width, T: Lane, H: Hold<W, T>, const N: usize>(vectors: [H; N], rows: &[*mut T]) {
    for (lane, row) in rows.iter().enumerate() {
        for (c, vector) in vectors.iter().enumerate() {
            // SAFETY: passed on to the caller.
            unsafe { row.add(c).write(vector.lane(lane)) };
        }
    }
}
