//! Data of loops written by hand, as threads need it that keep apart by colours.

/// Rows of a slice without bounds checks, for threads that never meet on a row.
#[derive(Clone, Copy)]
pub(crate) struct Rows<T>(*mut T);

// SAFETY: it is an address; whoever uses it promises that no two threads meet.
unsafe impl<T: Send> Sync for Rows<T> {}

impl<T> Rows<T> {
    /// Rows that may be changed.
    pub(crate) fn of(rows: &mut [T]) -> Self {
        Rows(rows.as_mut_ptr())
    }

    /// Rows that are only read.
    pub(crate) fn of_shared(rows: &[T]) -> Self {
        Rows(rows.as_ptr().cast_mut())
    }

    /// # Safety
    /// `row` exists and nobody writes to it.
    #[inline(always)]
    pub(crate) unsafe fn get<'a>(self, row: u32) -> &'a T {
        // SAFETY: passed on to the caller.
        unsafe { &*self.0.add(row as usize) }
    }

    /// # Safety
    /// `row` exists, may be changed, and nobody else touches it.
    #[inline(always)]
    pub(crate) unsafe fn get_mut<'a>(self, row: u32) -> &'a mut T {
        // SAFETY: passed on to the caller.
        unsafe { &mut *self.0.add(row as usize) }
    }
}
