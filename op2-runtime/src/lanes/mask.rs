//! Lanes of a `bool`.

use super::held::{Bits, Width};
use fearless_simd::{Simd, SimdMask};
use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

/// Lanes of a `bool`, which also select lanes.
#[derive(Clone, Copy)]
pub struct Mask<W: Width> {
    pub(super) w: W,
    pub(super) bits: W::Bits,
}

impl<W, S, M> Bits<W> for M
where
    S: Simd,
    W: Width<Token = S, Bits = M>,
    M: SimdMask<S>,
{
    #[inline(always)]
    fn from_bits(w: W, bits: u64) -> Self {
        M::from_bitmask(w.token(), bits)
    }
    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.to_bitmask()
    }
    #[inline(always)]
    fn splat(w: W, all: bool) -> Self {
        M::splat(w.token(), all)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.any_true()
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.all_true()
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn differs(self, other: Self) -> Self {
        self ^ other
    }
}

impl<W: Width> Mask<W> {
    /// All lanes.
    #[inline(always)]
    pub fn all_of(w: W) -> Self {
        Mask { w, bits: Bits::splat(w, true) }
    }

    /// No lane.
    #[inline(always)]
    pub fn none(w: W) -> Self {
        Mask { w, bits: Bits::splat(w, false) }
    }

    /// The first `count` lanes.
    #[inline(always)]
    pub fn first(w: W, count: usize) -> Self {
        Mask::from_bits(w, !(u64::MAX << count.min(W::LANES)))
    }

    /// Whether any lane is set.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.bits.any()
    }

    /// Whether every lane is set.
    #[inline(always)]
    pub fn all(self) -> bool {
        self.bits.all()
    }

    /// Whether this lane is set.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> bool {
        self.to_bits() >> lane & 1 == 1
    }

    /// The lanes on which the two disagree, `!=` of flags.
    #[inline(always)]
    pub fn differs(self, other: Self) -> Self {
        Mask { w: self.w, bits: self.bits.differs(other.bits) }
    }

    /// The lanes on which the two agree, `==` of flags.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Self {
        !self.differs(other)
    }

    /// Lane `l` is set if bit `l` is; no bits are set behind the last lane.
    #[inline(always)]
    pub(super) fn from_bits(w: W, bits: u64) -> Self {
        Mask { w, bits: Bits::from_bits(w, bits) }
    }

    /// Bit `l` is set if lane `l` is.
    #[inline(always)]
    pub(super) fn to_bits(self) -> u64 {
        self.bits.to_bits()
    }
}

impl<W: Width> BitAnd for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Mask { w: self.w, bits: self.bits.and(other.bits) }
    }
}

impl<W: Width> BitOr for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Mask { w: self.w, bits: self.bits.or(other.bits) }
    }
}

impl<W: Width> Not for Mask<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Mask { w: self.w, bits: self.bits.not() }
    }
}

impl<W: Width> fmt::Debug for Mask<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..W::LANES).map(|lane| self.lane(lane))).finish()
    }
}
