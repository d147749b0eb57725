//! The grid as devices take it: arrays of numbers, component by component. `op2_pairs.cuh` has the same search.

use super::Extent;
use super::grid::Grid;
use crate::data::room;
use crate::error::Result;

/// The parts of a grid.
pub(crate) struct Arrays<'a> {
    /// The boxes of the outer elements: lower corners, then upper ones.
    pub(crate) outer: Vec<f64>,
    /// Those of the inner elements, in the order of cells.
    pub(crate) inner: Vec<f64>,
    /// The images of the period in which these lie.
    pub(crate) images: Vec<i32>,
    /// Their numbers.
    pub(crate) elements: Vec<u32>,
    /// Where each cell begins.
    pub(crate) starts: &'a [u32],
    /// The lengths by which cells and partners are found.
    pub(crate) lengths: Vec<f64>,
    /// Cells in each direction, numbers of outer and inner elements, and 1 if the space is periodic.
    pub(crate) numbers: Vec<usize>,
}

impl<const D: usize> Grid<D> {
    /// Its arrays.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), also if 32 bits cannot number the cells.
    pub(crate) fn arrays(&self) -> Result<Arrays<'_>> {
        let what = || "the grid of a loop over pairs, for a device".to_owned();
        if u32::try_from(self.cells()).is_err() {
            return Err(room::missing(what(), 4 * self.cells() as u128));
        }
        let component = |extent: &Extent<D>, c: usize| extent[c / D][c % D];
        let (outers, inners) = (self.outer.len(), self.items.len());
        let period = self.space.period.unwrap_or([0.0; D]);
        let lengths = [self.origin, self.per_length, self.reach, period].concat();
        Ok(Arrays {
            outer: room::all(what, 2 * D * outers, |n| component(&self.outer[n % outers], n / outers))?,
            inner: room::all(what, 2 * D * inners, |n| component(&self.items[n % inners].extent, n / inners))?,
            images: room::all(what, D * inners, |n| self.items[n % inners].image[n / inners])?,
            elements: room::all(what, inners, |n| self.items[n].element)?,
            starts: &self.starts,
            lengths: [&lengths[..], &[self.space.margin, self.greatest]].concat(),
            numbers: [&self.cells[..], &[outers, inners, usize::from(self.space.period.is_some())]].concat(),
        })
    }
}
