//! Transposes pieces of rows into lanes and back: 4, 2 or 1 floats of each row, anywhere in memory.
//!
//! Goes lane by lane where the processor has no fast instructions. No piece reads or writes beyond its row.

use super::held::Transpose;
use super::plain::{put, take};
use super::width::{Eight, Four, SingleEight, SingleSixteen};
use fearless_simd::{Simd, f32x4, f32x8, f32x16, f64x4, f64x8};

#[cfg(target_arch = "x86_64")]
use super::shuffles::{avx_f32, avx_f64, avx512_f32, avx512_f64, sse_f32, sse_f32_halves, sse_f64};

/// Uses the shuffles of the instruction set, or goes lane by lane where there are none. The token's level is known at
/// compile time, so the compiler keeps one branch.
macro_rules! transposes {
    ($($width:ident $lanes:literal $vector:ident $ty:ident: $($level:ident $shuffles:ident)*;)*) => {$(
        impl<S: Simd> Transpose<$width<S>, $ty> for $vector<S> {
            transposes!(@take take4 4 $width $lanes $ty $($level $shuffles)*);
            transposes!(@take take2 2 $width $lanes $ty $($level $shuffles)*);
            transposes!(@put put4 4 $width $lanes $ty $($level $shuffles)*);
            transposes!(@put put2 2 $width $lanes $ty $($level $shuffles)*);
        }
    )*};
    (@take $name:ident $count:literal $width:ident $lanes:literal $ty:ident $($level:ident $shuffles:ident)*) => {
        #[inline(always)]
        unsafe fn $name(w: $width<S>, rows: &[*const $ty]) -> [Self; $count] {
            #[cfg(target_arch = "x86_64")]
            {$(
                if w.0.level().$level().is_some() {
                    // SAFETY: the level proves that the processor has these instructions; the rest is passed on to the
                    // caller.
                    return unsafe { same_bits($shuffles::$name(rows.as_array::<$lanes>().expect("a row for each lane"))) };
                }
            )*}
            // SAFETY: passed on to the caller.
            unsafe { take::<_, $ty, Self, $count>(w, rows) }
        }
    };
    (@put $name:ident $count:literal $width:ident $lanes:literal $ty:ident $($level:ident $shuffles:ident)*) => {
        #[inline(always)]
        unsafe fn $name(w: $width<S>, vectors: [Self; $count], rows: &[*mut $ty]) {
            #[cfg(target_arch = "x86_64")]
            {$(
                if w.0.level().$level().is_some() {
                    // SAFETY: as above.
                    return unsafe { $shuffles::$name(same_bits(vectors), rows.as_array::<$lanes>().expect("a row for each lane")) };
                }
            )*}
            let _ = w;
            // SAFETY: passed on to the caller.
            unsafe { put::<$width<S>, $ty, Self, $count>(vectors, rows) }
        }
    };
}
transposes! {
    Four 4 f64x4 f64: as_avx2 avx_f64 as_sse2 sse_f64;
    Eight 8 f64x8 f64: as_avx512 avx512_f64;
    Four 4 f32x4 f32: as_sse2 sse_f32;
    Eight 8 f32x8 f32: as_avx2 avx_f32 as_sse2 sse_f32_halves;
    SingleEight 8 f32x8 f32: as_avx2 avx_f32 as_sse2 sse_f32_halves;
    SingleSixteen 16 f32x16 f32: as_avx512 avx512_f32;
}

/// Converts vectors of `fearless_simd` to those of `std::arch`, whole or in halves, and back.
///
/// # Safety
/// Both types consist of floats alone.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn same_bits<A: Copy, B: Copy>(vectors: A) -> B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    // SAFETY: the sizes are equal, and any bits are floats.
    unsafe { std::mem::transmute_copy(&vectors) }
}
