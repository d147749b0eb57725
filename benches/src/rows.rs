//! Data of loops written by hand, for threads that colours keep from racing.

/// Rows of a slice without bounds checks, for threads that never access one row at the same time.
#[derive(Clone, Copy)]
pub struct Rows<T>(*mut T);

// SAFETY: it is an address; callers of its methods promise that threads do not race.
unsafe impl<T: Send + Sync> Sync for Rows<T> {}

impl<T: Copy> Rows<T> {
    /// Rows that may be changed.
    pub fn of(rows: &mut [T]) -> Self {
        Rows(rows.as_mut_ptr())
    }

    /// Rows that are only read.
    pub fn of_shared(rows: &[T]) -> Self {
        Rows(rows.as_ptr().cast_mut())
    }

    /// # Safety
    /// `row` exists and nobody writes to it.
    #[inline(always)]
    pub unsafe fn get<'a>(self, row: u32) -> &'a T {
        // SAFETY: passed on to the caller.
        unsafe { &*self.0.add(row as usize) }
    }

    /// # Safety
    /// `row` exists, may be changed, and nobody else accesses it.
    #[inline(always)]
    pub unsafe fn get_mut<'a>(self, row: u32) -> &'a mut T {
        // SAFETY: passed on to the caller.
        unsafe { &mut *self.0.add(row as usize) }
    }

    /// # Safety
    /// Both rows exist and nobody writes to them.
    #[inline(always)]
    pub unsafe fn both<'a>(self, rows: [u32; 2]) -> [&'a T; 2] {
        // SAFETY: passed on to the caller.
        unsafe { [self.get(rows[0]), self.get(rows[1])] }
    }

    /// # Safety
    /// Both rows exist, differ, may be changed, and nobody else accesses them.
    #[inline(always)]
    pub unsafe fn both_mut<'a>(self, rows: [u32; 2]) -> [&'a mut T; 2] {
        // SAFETY: passed on to the caller.
        unsafe { [self.get_mut(rows[0]), self.get_mut(rows[1])] }
    }
}
