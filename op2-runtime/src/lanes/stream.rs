//! Non-temporal stores.
//!
//! An ordinary store to a line that is in no cache first reads the line, and evicts another. A non-temporal store does
//! neither, which saves a third of the traffic of a copy. It pays where whole rows are written that would leave the
//! caches before anyone reads them.

use super::held::Width;
use fearless_simd::Simd;

/// Whether [`write`] can store a value of this type at `to`: the value must consist of whole aligned words.
#[inline(always)]
pub(super) fn fits<W: Width, T>(w: W, to: *mut T) -> bool {
    let word = word::<W, T>(w);
    word > 0 && to.addr().is_multiple_of(word)
}

/// Stores a value past the caches. Other threads see it after [`finish`].
///
/// # Safety
/// `to` may be written, no other thread accesses it meanwhile, and the value [`fits`].
#[inline(always)]
pub(super) unsafe fn write<W: Width, T: Copy>(w: W, value: &T, to: *mut T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64 as x86;
        let word = word::<W, T>(w);
        for at in (0..size_of::<T>()).step_by(word) {
            // SAFETY: the value fits, so `at` is inside of it, the processor has stores of this width, and the place is
            // aligned to it; the rest is passed on to the caller.
            unsafe {
                let (from, to) = ((&raw const *value).byte_add(at), to.byte_add(at));
                match word {
                    64 => x86::_mm512_stream_si512(to.cast(), x86::_mm512_loadu_si512(from.cast())),
                    32 => x86::_mm256_stream_si256(to.cast(), x86::_mm256_loadu_si256(from.cast())),
                    _ => x86::_mm_stream_si128(to.cast(), x86::_mm_loadu_si128(from.cast())),
                }
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: passed on to the caller.
    unsafe {
        let _ = w;
        to.write(*value);
    }
}

/// Bytes of the widest word that this value consists of and the processor can store past the caches; 0 if there is
/// none. A word that fills a cache line is written at once. Known at compile time.
#[inline(always)]
fn word<W: Width, T>(w: W) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let level = w.token().level();
        let words = [(64, level.as_avx512().is_some()), (32, level.as_avx2().is_some()), (16, true)];
        let fits = |&&(word, there): &&(usize, bool)| there && size_of::<T>().is_multiple_of(word);
        words.iter().find(fits).map_or(0, |&(word, _)| word)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = w;
        0
    }
}

/// Makes all non-temporal stores of this thread visible to other threads.
pub(super) fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
