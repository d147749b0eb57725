//! The search as generated loop bodies use it.

use super::grid::{Found, Grid, Partner};

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
        unsafe { self.grid.partners(outer, &mut self.found) };
        self.found.partners.iter().map(|&Partner { element, shift }| (element as usize, shift))
    }
}

impl<const D: usize> Drop for Partners<'_, D> {
    fn drop(&mut self) {
        self.grid.count(&self.found);
    }
}

/// A parameter of a kernel that takes the shift of a pair in `D` dimensions.
#[diagnostic::on_unimplemented(
    message = "the pairs are in {D} dimensions, the kernel takes their shift as `{Self}`",
    label = "expected `[f64; {D}]`, or `[f32; {D}]`",
    note = "a periodic image has a shift for each direction of the space that the pairs were declared in"
)]
pub trait ShiftOf<const D: usize> {
    /// The shift as the kernel takes it.
    fn of_shift(shift: [f64; D]) -> Self;
}

impl<const D: usize> ShiftOf<D> for [f64; D] {
    #[inline(always)]
    fn of_shift(shift: [f64; D]) -> Self {
        shift
    }
}

impl<const D: usize> ShiftOf<D> for [f32; D] {
    #[inline(always)]
    fn of_shift(shift: [f64; D]) -> Self {
        shift.map(|s| s as f32)
    }
}
