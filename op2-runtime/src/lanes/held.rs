//! Traits of widths, scalars and the types that hold lanes. They name each other, and are therefore in one file.

use fearless_simd::Simd;

/// A number of elements and the instructions that compute them at once. A value proves that the processor has these
/// instructions.
pub trait Width: Copy + Send + Sync + 'static {
    /// The number of elements computed at once.
    const LANES: usize;
    /// An array of one value for each lane.
    type Each<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]>;
    /// Proof that the processor has the instructions.
    #[doc(hidden)]
    type Token: Simd;
    /// The type that holds lanes of `f32`.
    #[doc(hidden)]
    type F32: FloatHold<Self, f32>;
    /// The type that holds lanes of `f64`.
    #[doc(hidden)]
    type F64: FloatHold<Self, f64>;
    /// The type that holds a [`Mask`](super::Mask).
    #[doc(hidden)]
    type Bits: Bits<Self>;

    #[doc(hidden)]
    fn token(self) -> Self::Token;

    /// An array of the results of `f` for each lane.
    fn each<T: Copy>(self, f: impl FnMut(usize) -> T) -> Self::Each<T>;
}

/// A scalar that lanes are made of: `f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 usize`.
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

/// Holds the lanes of one scalar, with the operations that all scalars have.
#[doc(hidden)]
pub trait Hold<W: Width, T: Lane>: Copy + Transpose<W, T> {
    fn splat(w: W, one: T) -> Self;
    fn lane(&self, lane: usize) -> T;
    fn set_lane(&mut self, lane: usize, one: T);
    fn select(mask: W::Bits, yes: Self, no: Self) -> Self;
    fn lt(self, other: Self) -> W::Bits;
    fn le(self, other: Self) -> W::Bits;
    fn equals(self, other: Self) -> W::Bits;
    /// Sums; those of integers wrap.
    fn add(self, other: Self) -> Self;
    /// Differences; those of integers wrap.
    fn sub(self, other: Self) -> Self;
    /// The value with the opposite sign; integers wrap.
    fn neg(self) -> Self;

    /// Loads one scalar per lane from consecutive memory.
    ///
    /// # Safety
    /// `W::LANES` scalars may be read at `from`, aligned as a scalar.
    unsafe fn load(w: W, from: *const T) -> Self;

    /// Stores one scalar per lane to consecutive memory.
    ///
    /// # Safety
    /// `W::LANES` scalars may be written at `to`, aligned as a scalar.
    unsafe fn store(self, to: *mut T);
}

/// Holds the lanes of a float, with the operations that only floats have.
#[doc(hidden)]
pub trait FloatHold<W: Width, T: Lane>: Hold<W, T> {
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn round(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    fn is_sign_negative(self) -> W::Bits;
}

/// Transposes rows of floats into vectors, and back.
#[doc(hidden)]
pub trait Transpose<W: Width, T>: Sized {
    /// Vectors of the first 4 floats of each row.
    ///
    /// # Safety
    /// There is a row for each lane, and 4 floats may be read from each.
    unsafe fn take4(w: W, rows: &[*const T]) -> [Self; 4];

    /// Vectors of the first 2 floats of each row.
    ///
    /// # Safety
    /// As for [`Transpose::take4`].
    unsafe fn take2(w: W, rows: &[*const T]) -> [Self; 2];

    /// Writes the lanes of 4 vectors to the first 4 floats of each row.
    ///
    /// # Safety
    /// There is a row for each lane, and 4 floats may be written to each.
    unsafe fn put4(w: W, vectors: [Self; 4], rows: &[*mut T]);

    /// Writes the lanes of 2 vectors to the first 2 floats of each row.
    ///
    /// # Safety
    /// As for [`Transpose::put4`].
    unsafe fn put2(w: W, vectors: [Self; 2], rows: &[*mut T]);
}

/// Holds one bit for each lane.
#[doc(hidden)]
pub trait Bits<W: Width>: Copy {
    fn from_bits(w: W, bits: u64) -> Self;
    fn to_bits(self) -> u64;
    fn splat(w: W, all: bool) -> Self;
    fn any(self) -> bool;
    fn all(self) -> bool;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn not(self) -> Self;
    fn differs(self, other: Self) -> Self;
}
