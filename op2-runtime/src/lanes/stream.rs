//! Writing past the caches.
//!
//! A store to memory that is in no cache reads the line first, and lets another one go. Where whole rows are written that nobody
//! reads before they would have left the caches anyway, processors can write without that: a third of the traffic of a copy.

use super::width::Width;
use fearless_simd::Simd;

/// Whether [`write`] can write a value of this type there: it goes by whole words, as wide as there are instructions for.
#[inline(always)]
pub(super) fn fits<W: Width, T>(w: W, to: *mut T) -> bool {
    let word = word::<W, T>(w);
    word > 0 && to.addr().is_multiple_of(word)
}

/// Writes a value past the caches. Another thread sees it once [`finish`] was called.
///
/// # Safety
/// The place may be written, nobody else touches it meanwhile, and the value [`fits`].
#[inline(always)]
pub(super) unsafe fn write<W: Width, T: Copy>(w: W, value: &T, to: *mut T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64 as x86;
        let word = word::<W, T>(w);
        for at in (0..size_of::<T>()).step_by(word) {
            // SAFETY: the word is a part of the value, its width is one of instructions that there are, and the place is aligned to it,
            // because the value fits; the rest is passed on to the caller.
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

/// Bytes of the widest words that a value consists of, and that there are instructions for; 0 if there are none. A word that is a whole
/// cache line does not wait for the rest of it. It is known at compile time.
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

/// Waits until all that this thread wrote past the caches can be seen.
pub(super) fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
