//! Options of a mesh before it is built.

use crate::Error;
use crate::lattice::Lattice;

/// The options of a mesh `M` in `D` dimensions. The functions of [`plane`](crate::plane) and [`space`](crate::space)
/// return one; [`build`](Self::build) makes the mesh.
#[derive(Clone, Debug)]
#[must_use = "nothing is made before `build` is called"]
pub struct Builder<const D: usize, M> {
    lattice: Lattice<D>,
    make: fn(&Lattice<D>) -> Result<M, Error>,
}

impl<const D: usize, M> Builder<D, M> {
    pub(crate) fn new(bricks: [usize; D], make: fn(&Lattice<D>) -> Result<M, Error>) -> Self {
        Self { lattice: Lattice::new(bricks), make }
    }

    /// Makes every spacing along direction `d` `ratios[d]` times as long as the one before it.
    ///
    /// Above 1 the mesh is finest at 0, below 1 at the other end, and 1 makes all spacings equal, which is also the
    /// default. The mesh always fills the unit square or cube. No spacing may become shorter than
    /// [`MIN_SPACING`](crate::MIN_SPACING).
    pub fn graded(mut self, ratios: [f64; D]) -> Self {
        self.lattice.ratios = ratios;
        self
    }

    /// Joins opposite sides in every direction: their nodes are one, so that there is no boundary.
    ///
    /// The last cells in a direction have their upper nodes at 0 rather than at 1. To get the difference `d` of two
    /// coordinates within a cell, subtract whole lengths: `d - d.round()`. This needs spacings below ½, which only a
    /// strong grading exceeds.
    pub fn periodic(mut self) -> Self {
        self.lattice.periodic = true;
        self
    }

    /// Makes the mesh.
    ///
    /// # Errors
    /// [`Error::Empty`] for a size of 0, [`Error::TooFewForPeriodic`] for a periodic mesh with fewer than 3 bricks in a
    /// direction, [`Error::Ratio`] and [`Error::TooFine`] for an impossible grading, [`Error::TooLarge`] if a set would
    /// have more than `u32::MAX` elements.
    pub fn build(&self) -> Result<M, Error> {
        self.lattice.check()?;
        (self.make)(&self.lattice)
    }
}
