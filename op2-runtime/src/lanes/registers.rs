//! Lanes in vector registers.

use super::held::{FloatHold, Hold, Width};
use super::width::{Eight, Four, SingleEight, SingleSixteen};
use fearless_simd::{
    Select, Simd, SimdBase, SimdFloat, SimdMask, f32x4, f32x8, f32x16, f64x4, f64x8, mask32x4, mask32x8, mask32x16,
    mask64x4, mask64x8,
};

/// The smaller or the greater one, with the operands swapped: of two zeros the instruction returns its second operand,
/// the scalar code of Rust its first. For AVX-512, `min_precise` would use an instruction that orders the zeros.
macro_rules! choice {
    ($value:ident, $other:ident, $plain:ident, $precise:ident) => {{
        #[cfg(target_arch = "x86_64")]
        if $value.simd.level().as_avx512().is_some() {
            let chosen = SimdBase::$plain($other, $value);
            return SimdFloat::is_nan($value).select($other, chosen);
        }
        SimdBase::$precise($other, $value)
    }};
}

/// `$own` is the mask that comparisons of `$vector` return. Where the width holds another type, masks are converted by
/// their bits.
macro_rules! registers {
    ($($width:ident $vector:ident $ty:ident $own:ident $into:ident $out_of:ident;)*) => {$(
        impl<S: Simd> Hold<$width<S>, $ty> for $vector<S> {
            #[inline(always)]
            fn splat(w: $width<S>, one: $ty) -> Self {
                SimdBase::splat(w.token(), one)
            }
            #[inline(always)]
            fn lane(&self, lane: usize) -> $ty {
                self[lane]
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, one: $ty) {
                self[lane] = one;
            }
            #[inline(always)]
            fn select(mask: <$width<S> as Width>::Bits, yes: Self, no: Self) -> Self {
                let mask: $own<S> = $out_of(yes.simd, mask);
                mask.select(yes, no)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> <$width<S> as Width>::Bits {
                $into(self.simd, self.simd_lt(other))
            }
            #[inline(always)]
            fn le(self, other: Self) -> <$width<S> as Width>::Bits {
                $into(self.simd, self.simd_le(other))
            }
            #[inline(always)]
            fn equals(self, other: Self) -> <$width<S> as Width>::Bits {
                $into(self.simd, self.simd_eq(other))
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
            #[inline(always)]
            unsafe fn load(w: $width<S>, from: *const $ty) -> Self {
                // SAFETY: passed on to the caller.
                let array = unsafe { from.cast::<<Self as SimdBase<S>>::Array>().read_unaligned() };
                SimdBase::load_array(w.token(), array)
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $ty) {
                // SAFETY: passed on to the caller.
                unsafe { to.cast::<<Self as SimdBase<S>>::Array>().write_unaligned(self.to_array()) }
            }
        }

        impl<S: Simd> FloatHold<$width<S>, $ty> for $vector<S> {
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn abs(self) -> Self {
                SimdBase::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                SimdFloat::sqrt(self)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                SimdFloat::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                SimdFloat::ceil(self)
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                SimdFloat::trunc(self)
            }
            #[inline(always)]
            fn round(self) -> Self {
                SimdFloat::round(self)
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                choice!(self, other, min, min_precise)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                choice!(self, other, max, max_precise)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                SimdFloat::copysign(self, sign)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                SimdFloat::mul_add_precise(self, factor, addend)
            }
            #[inline(always)]
            fn is_sign_negative(self) -> <$width<S> as Width>::Bits {
                $into(self.simd, SimdFloat::is_sign_negative(self))
            }
        }
    )*};
}
registers! {
    Four f64x4 f64 mask64x4 as_it_is as_it_is;
    Four f32x4 f32 mask32x4 by_bits by_bits;
    Eight f64x8 f64 mask64x8 as_it_is as_it_is;
    Eight f32x8 f32 mask32x8 by_bits by_bits;
    SingleEight f32x8 f32 mask32x8 as_it_is as_it_is;
    SingleSixteen f32x16 f32 mask32x16 as_it_is as_it_is;
}

#[inline(always)]
fn as_it_is<S, M>(_: S, mask: M) -> M {
    mask
}

#[inline(always)]
fn by_bits<S: Simd, M: SimdMask<S>, N: SimdMask<S>>(token: S, mask: M) -> N {
    N::from_bitmask(token, mask.to_bitmask())
}
