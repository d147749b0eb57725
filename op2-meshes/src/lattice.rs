//! The lattice of bricks from which every mesh is made: its points are the nodes, its bricks contain the cells.

use crate::error::{Error, MIN_SPACING};

/// Corners of a brick in up to three directions.
pub(crate) const CORNERS: usize = 8;

/// A corner of a brick: bit `d` is set at the upper end of direction `d`. A set of directions has the same
/// representation.
pub(crate) type Corner = u8;

/// Bricks in `D` directions over the unit square or cube, each direction with its growth of spacings.
#[derive(Clone, Debug)]
pub(crate) struct Lattice<const D: usize> {
    pub(crate) bricks: [usize; D],
    pub(crate) ratios: [f64; D],
    pub(crate) periodic: bool,
}

impl<const D: usize> Lattice<D> {
    pub(crate) fn new(bricks: [usize; D]) -> Self {
        Self { bricks, ratios: [1.0; D], periodic: false }
    }

    /// Checks sizes and ratios, but not how large the mesh gets.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (&found, size) in self.bricks.iter().zip(["nx", "ny", "nz"]) {
            match found {
                0 => return Err(Error::Empty { size }),
                1 | 2 if self.periodic => return Err(Error::TooFewForPeriodic { size, found }),
                _ => {}
            }
        }
        for (direction, &found) in self.ratios.iter().enumerate() {
            if !(found.is_finite() && found > 0.0) {
                return Err(Error::Ratio { direction, found });
            }
        }
        Ok(())
    }

    /// Number of lattice elements that extend in the given directions: points extend in none, bricks in all.
    pub(crate) fn count(&self, extent: Corner) -> u128 {
        let along = |d: usize| self.bricks[d] as u128 + u128::from(!self.periodic && extent & (1 << d) == 0);
        (0..D).map(along).fold(1, u128::saturating_mul)
    }

    /// Coordinates of the points, the first direction running fastest.
    pub(crate) fn coordinates(&self) -> Result<Vec<[f64; D]>, Error> {
        let mut axes = [(); D].map(|()| Vec::new());
        for (d, axis) in axes.iter_mut().enumerate() {
            *axis = self.axis(d)?;
        }
        let len = axes.iter().map(Vec::len).product();
        let point = |number: usize| {
            let mut rest = number;
            std::array::from_fn(|d| {
                let x = axes[d][rest % axes[d].len()];
                rest /= axes[d].len();
                x
            })
        };
        Ok((0..len).map(point).collect())
    }

    /// The coordinates along direction `d`. In a periodic mesh the upper end equals the lower one and is left out.
    fn axis(&self, d: usize) -> Result<Vec<f64>, Error> {
        let (cells, ratio) = (self.bricks[d], self.ratios[d]);
        // Starts at the finest spacing, so that powers of the ratio stay between 0 and 1.
        let spacing = |k: usize| ratio.powf(k as f64 - if ratio > 1.0 { cells as f64 - 1.0 } else { 0.0 });
        let mut places = Vec::with_capacity(cells + 1);
        let mut sum = 0.0;
        for k in 0..cells {
            places.push(sum);
            sum += spacing(k);
        }
        if spacing(0).min(spacing(cells - 1)) < MIN_SPACING * sum {
            return Err(Error::TooFine { direction: d, found: ratio, cells });
        }
        if !self.periodic {
            places.push(sum);
        }
        places.iter_mut().for_each(|place| *place /= sum);
        Ok(places)
    }

    /// The points at the corners of every brick, the first direction running fastest. Corners from 2^`D` on are unused.
    pub(crate) fn bricks(&self) -> impl Iterator<Item = [u32; CORNERS]> {
        let len = self.bricks.iter().product();
        (0..len).map(|number| {
            let mut ends = [[0; 2]; D];
            let (mut rest, mut stride) = (number, 1);
            for (d, &bricks) in self.bricks.iter().enumerate() {
                let (lower, points) = (rest % bricks, bricks + usize::from(!self.periodic));
                ends[d] = [lower, (lower + 1) % points].map(|place| place * stride);
                rest /= bricks;
                stride *= points;
            }
            let point = |corner: usize| (0..D).map(|d| ends[d][corner >> d & 1]).sum::<usize>() as u32;
            std::array::from_fn(|corner| if corner < 1 << D { point(corner) } else { 0 })
        })
    }
}
