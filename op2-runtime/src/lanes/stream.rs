//! Writing past the caches.
//!
//! A store to memory that is in no cache reads the line first, and lets another one go. Where whole rows are written that nobody
//! reads before they would have left the caches anyway, processors can write without that: a third of the traffic of a copy.

/// Copies bytes past the caches. Another thread sees them once [`finish`] was called.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    const WORD: usize = size_of::<__m128i>();
    // SAFETY: passed on to the caller; words are written where they are aligned.
    unsafe {
        if !to.addr().is_multiple_of(WORD) || !bytes.is_multiple_of(WORD) {
            return from.copy_to_nonoverlapping(to, bytes);
        }
        for at in (0..bytes).step_by(WORD) {
            _mm_stream_si128(to.add(at).cast(), _mm_loadu_si128(from.add(at).cast()));
        }
    }
}

/// The same on machines for which nobody wrote it: an ordinary copy.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: passed on to the caller.
    unsafe { from.copy_to_nonoverlapping(to, bytes) };
}

/// Waits until all that this thread wrote past the caches can be seen.
pub(super) fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_bytes_arrive_and_no_others_change() {
        let from: Vec<u8> = (1..=200).collect();
        for start in 0..20 {
            for bytes in [0, 1, 16, 31, 32, 64, 128, 200] {
                let mut to = vec![0u8; 240];
                // SAFETY: both ranges lie in their vectors.
                unsafe { super::copy(from.as_ptr(), to.as_mut_ptr().add(start), bytes) };
                super::finish();
                assert_eq!(to[start..start + bytes], from[..bytes]);
                assert!(to[..start].iter().chain(&to[start + bytes..]).all(|b| *b == 0));
            }
        }
    }
}
