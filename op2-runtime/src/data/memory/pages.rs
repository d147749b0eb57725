//! Pages from the operating system. They are zero, they take memory when they are touched, and more of them follow without a copy, since
//! the system moves pages by their addresses. `realloc` would do the same, but only for memory whose start need not be that of a large page.

use std::ptr::NonNull;

/// Bytes of the large pages of x86-64 and ARM.
pub(super) const LARGE_PAGE: usize = 2 << 20;
/// Bytes of the smallest pages of any system.
pub(super) const SMALL_PAGE: usize = 4 << 10;

/// Whether memory of this size consists of pages. Smaller memory would fill few large ones. It comes from the allocator, which hands out
/// freed memory again, without a fault for each page.
pub(super) fn provide(bytes: usize) -> bool {
    cfg!(target_os = "linux") && bytes >= 2 * LARGE_PAGE
}

#[cfg(target_os = "linux")]
mod system {
    use super::{LARGE_PAGE, NonNull};
    use libc::{MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, MREMAP_FIXED, MREMAP_MAYMOVE};
    use libc::{PROT_NONE, PROT_READ, PROT_WRITE};
    use std::ptr::null_mut;

    /// Pages that hold this number of bytes; the first one begins a large page. `None` if the system lacks them.
    pub(in super::super) fn take(bytes: usize) -> Option<NonNull<u8>> {
        place(whole(bytes)?, PROT_READ | PROT_WRITE, 0)
    }

    /// Adds pages, so that those that held `old` bytes hold `new` ones. Returns where they begin now. `None` if the system lacks them; nothing
    /// has changed then.
    ///
    /// # Safety
    /// [`take`] or this function returned `first` for `old` bytes, `new` is not less, and nobody uses the old address any more.
    pub(in super::super) unsafe fn grow(first: NonNull<u8>, old: usize, new: usize) -> Option<NonNull<u8>> {
        let (old, new) = (whole(old)?, whole(new)?);
        if old == new {
            return Some(first);
        }
        // SAFETY: the pages are ours, and they stay where they are or nothing happens.
        if unsafe { libc::mremap(first.as_ptr().cast(), old, new, 0) } != MAP_FAILED {
            return Some(first);
        }
        let place = place(new, PROT_NONE, MAP_NORESERVE)?;
        // SAFETY: as above, and the new place is ours, and empty. If this fails, the system may have given the place to others already, so it is
        // not given back: addresses are lost, no memory.
        let moved =
            unsafe { libc::mremap(first.as_ptr().cast(), old, new, MREMAP_MAYMOVE | MREMAP_FIXED, place.as_ptr()) };
        (moved != MAP_FAILED).then_some(place)
    }

    /// Gives pages back.
    ///
    /// # Safety
    /// [`take`] or [`grow`] returned `first` for this number of bytes, and nobody uses the pages any more.
    pub(in super::super) unsafe fn give_back(first: NonNull<u8>, bytes: usize) {
        if let Some(bytes) = whole(bytes) {
            // SAFETY: the pages are ours.
            unsafe { libc::munmap(first.as_ptr().cast(), bytes) };
        }
    }

    /// Requests large pages, where none has been touched yet. If the system refuses, only time is lost.
    ///
    /// # Safety
    /// As [`give_back`], but for the use of the bytes.
    pub(in super::super) unsafe fn enlarge(first: NonNull<u8>, bytes: usize) {
        if let Some(bytes) = whole(bytes) {
            // All of them: the system moves pages together only if it was told the same about them.
            // SAFETY: the pages are ours, and the advice does not change what they hold.
            unsafe { libc::madvise(first.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
        }
    }

    /// Addresses for whole large pages.
    fn place(bytes: usize, access: i32, flags: i32) -> Option<NonNull<u8>> {
        let all = bytes.checked_add(LARGE_PAGE)?;
        // SAFETY: the system chooses addresses that nobody uses.
        let start = unsafe { libc::mmap(null_mut(), all, access, flags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) };
        if start == MAP_FAILED {
            return None;
        }
        let start = start.cast::<u8>();
        let before = start.align_offset(LARGE_PAGE);
        // SAFETY: all of it is ours, and what lies before and behind the large pages is not needed.
        unsafe {
            let first = start.add(before);
            for (start, bytes) in [(start, before), (first.add(bytes), LARGE_PAGE - before)] {
                if bytes > 0 {
                    libc::munmap(start.cast(), bytes);
                }
            }
            NonNull::new(first)
        }
    }

    /// Bytes of the large pages that hold this number of bytes.
    fn whole(bytes: usize) -> Option<usize> {
        bytes.checked_next_multiple_of(LARGE_PAGE)
    }
}

/// Other systems [provide](super::provide) none.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::NonNull;

    pub(in super::super) fn take(_bytes: usize) -> Option<NonNull<u8>> {
        None
    }

    pub(in super::super) unsafe fn grow(_first: NonNull<u8>, _old: usize, _new: usize) -> Option<NonNull<u8>> {
        None
    }

    pub(in super::super) unsafe fn give_back(_first: NonNull<u8>, _bytes: usize) {}

    pub(in super::super) unsafe fn enlarge(_first: NonNull<u8>, _bytes: usize) {}
}

pub(super) use system::{enlarge, give_back, grow, take};
