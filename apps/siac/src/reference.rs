//! The filter by plain loops over pairs that a hash grid proposes: the oracle for op2's loops.

mod grid;

use std::time::Instant;

use crate::kernels::{contribution, in_stencil};
use crate::mesh::{Boundary, longest_edge};
use crate::projection::{Corners, Solution};
use crate::quadrature::table;
use crate::stencil::Stencils;
use grid::Grid;

/// The element over which the outer loop goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// For each point, all triangles near its stencil (the paper, algorithm 2).
    PerPoint,
    /// For each triangle, all points whose stencil is near it (the paper, algorithm 3).
    PerElement,
}

/// The result of the filter.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// u* at each point.
    pub values: Vec<f64>,
    /// How many pairs the grid proposed.
    pub tests: u64,
    /// How many of them meet.
    pub hits: u64,
    /// Seconds of the grid and the loop, without those in which a device's code was compiled.
    pub seconds: f64,
}

/// Filters `solution`, which is on the triangles of `corners`, at the points of `stencils`.
///
/// `N` = P + 1 and `M` = 3P + 1 are those of the stencils, `D` is the solution's degree d plus 1, and `Q` the number
/// of points of the rule of degree 2P + d.
///
/// # Panics
/// If the lengths are others.
pub fn filtered<const N: usize, const M: usize, const D: usize, const Q: usize>(
    method: Method,
    corners: &[Corners],
    solution: &Solution,
    stencils: &Stencils<N, M>,
) -> Outcome {
    let pairs = Pairs::<N, M, D, Q> {
        corners,
        frames: solution.framed(corners, stencils.h),
        rule: table(2 * (N - 1) + D - 1),
        stencils,
        outcome: Outcome { values: vec![0.0; stencils.centres.len()], tests: 0, hits: 0, seconds: 0.0 },
    };
    let start = Instant::now();
    let outcome = match method {
        Method::PerPoint => pairs.per_point(),
        Method::PerElement => pairs.per_element(),
    };
    Outcome { seconds: start.elapsed().as_secs_f64(), ..outcome }
}

struct Pairs<'a, const N: usize, const M: usize, const D: usize, const Q: usize> {
    corners: &'a [Corners],
    frames: Vec<[[f64; D]; D]>,
    rule: [[f64; 3]; Q],
    stencils: &'a Stencils<N, M>,
    outcome: Outcome,
}

impl<const N: usize, const M: usize, const D: usize, const Q: usize> Pairs<'_, N, M, D, Q> {
    /// Equation 3 of the paper, the bounds with index p.
    fn per_point(mut self) -> Outcome {
        let centroid = |t: &Corners| [0, 1].map(|k| (t[0][k] + t[1][k] + t[2][k]) / 3.0);
        let grid = Grid::new(longest_edge(self.corners), self.corners.iter().map(centroid));
        let half = 0.5 * self.stencils.width();
        for (point, centre) in self.stencils.centres.iter().enumerate() {
            for (triangle, image) in grid.near(centre.map(|c| [c - half, c + half]), 1, self.images()) {
                self.pair(point, triangle, image);
            }
        }
        self.outcome
    }

    /// Equation 3 of the paper, the bounds with index e.
    fn per_element(mut self) -> Outcome {
        let grid = Grid::new(0.5 * longest_edge(self.corners), self.stencils.centres.iter().copied());
        let half = 0.5 * self.stencils.width();
        for (triangle, corners) in self.corners.iter().enumerate() {
            let spans = [0, 1].map(|k| {
                let [a, b, c] = corners.map(|v| v[k]);
                [a.min(b).min(c) - half, a.max(b).max(c) + half]
            });
            for (point, image) in grid.near(spans, 0, self.images()) {
                // The triangle is shifted against the point.
                self.pair(point, triangle, image.map(|shift| -shift));
            }
        }
        self.outcome
    }

    fn images(&self) -> bool {
        self.stencils.boundary == Boundary::Periodic
    }

    fn pair(&mut self, point: usize, triangle: usize, shift: [f64; 2]) {
        let stencils = self.stencils;
        let [kx, ky] = stencils.kernels[point].map(|n| &stencils.tables[n as usize]);
        let placed = in_stencil(&self.corners[triangle], &shift, &stencils.centres[point], 1.0 / stencils.h, M);
        let (value, hit) = contribution(&placed, &self.frames[triangle], kx, ky, &self.rule);
        self.outcome.tests += 1;
        self.outcome.hits += u64::from(hit);
        self.outcome.values[point] += value;
    }
}
