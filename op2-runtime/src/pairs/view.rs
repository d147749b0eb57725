//! The search as generated loop bodies use it.

use super::grid::{Found, Grid};

/// A grid without its borrow: finds the partners of outer elements.
#[derive(Debug)]
pub struct PairView<const D: usize> {
    grid: *const Grid<D>,
}

impl<const D: usize> Clone for PairView<D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<const D: usize> Copy for PairView<D> {}

// SAFETY: a view is an address; `PairView::partners` states what it needs.
unsafe impl<const D: usize> Send for PairView<D> {}
// SAFETY: as above; a grid only counts by atomics while it is used.
unsafe impl<const D: usize> Sync for PairView<D> {}

impl<const D: usize> PairView<D> {
    /// A view of a grid, or of nothing, for a call that already failed and will not run.
    pub(crate) fn new(grid: Option<&Grid<D>>) -> Self {
        PairView { grid: grid.map_or(std::ptr::null(), std::ptr::from_ref) }
    }

    /// Room for partners, for a part of the loop.
    ///
    /// # Safety
    /// The grid lives and does not change while the room is used.
    #[inline]
    pub unsafe fn partners<'a>(self) -> Partners<'a, D> {
        // SAFETY: passed on to the caller.
        Partners { grid: unsafe { &*self.grid }, found: Found::new() }
    }
}

/// The partners of one outer element after the other.
#[derive(Debug)]
pub struct Partners<'a, const D: usize> {
    grid: &'a Grid<D>,
    found: Found<D>,
}

impl<const D: usize> Partners<'_, D> {
    /// The partners of an outer element: the inner number of each, and the shift.
    ///
    /// # Safety
    /// It is an element of the outer set.
    #[inline]
    pub unsafe fn of(&mut self, outer: usize) -> impl Iterator<Item = (usize, [f64; D])> {
        // SAFETY: passed on to the caller.
        let found = unsafe { self.find(outer) };
        found.elements.iter().enumerate().map(|(n, element)| (*element as usize, found.shift(n)))
    }

    /// Finds the partners of an outer element.
    ///
    /// # Safety
    /// As for [`Partners::of`].
    #[inline]
    pub(crate) unsafe fn find(&mut self, outer: usize) -> &mut Found<D> {
        // SAFETY: passed on to the caller.
        unsafe { self.grid.partners(outer, &mut self.found) };
        &mut self.found
    }
}

impl<const D: usize> Drop for Partners<'_, D> {
    fn drop(&mut self) {
        self.grid.count(&self.found);
    }
}

/// The view of pairs in `E` dimensions, which are `D`, unless the loop fails to compile for another reason.
#[inline(always)]
pub fn in_dimensions<const D: usize, const E: usize>(pairs: PairView<D>) -> PairView<E> {
    assert_eq!(D, E, "a kernel takes shifts of the space's dimension");
    PairView { grid: pairs.grid.cast() }
}
