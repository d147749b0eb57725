//! Asks for memory before it is needed.

/// Prefetches a line. Any address is valid.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn fetch(line: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has SSE, and prefetching an invalid address does nothing.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
}

/// Does nothing where no instruction is known.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn fetch(_line: *const u8) {}

/// Prefetches the line of an element of a slice, if there is one.
#[inline(always)]
pub(crate) fn fetch_element<T>(slice: &[T], index: usize) {
    fetch(slice.as_ptr().wrapping_add(index).cast());
}
