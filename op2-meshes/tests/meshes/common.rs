//! Helpers for the tests of both dimensions.

use op2_meshes::Builder;
use proptest::prelude::*;
use std::collections::HashSet;

/// Coordinates are sums of a few dozen numbers below 1.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// A mesh to build: bricks per direction, growth, periodicity, and the seed of a shuffle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<const D: usize> {
    pub(crate) bricks: [usize; D],
    pub(crate) ratios: [f64; D],
    pub(crate) periodic: bool,
    pub(crate) seed: Option<u64>,
}

impl<const D: usize> Case<D> {
    pub(crate) fn plain(bricks: [usize; D]) -> Self {
        Self { bricks, ratios: [1.0; D], periodic: false, seed: None }
    }

    pub(crate) fn options<M>(&self, builder: Builder<D, M>) -> M {
        let builder = builder.graded(self.ratios);
        if self.periodic { builder.periodic() } else { builder }.build().expect("the case is valid")
    }

    /// Number of lattice points.
    pub(crate) fn points(&self) -> usize {
        self.bricks.iter().map(|n| n + usize::from(!self.periodic)).product()
    }

    /// Lengths of the bricks along each direction, by the definition of a geometric series.
    pub(crate) fn spacings(&self) -> [Vec<f64>; D] {
        std::array::from_fn(|d| {
            let powers: Vec<f64> = (0..self.bricks[d]).map(|k| self.ratios[d].powi(k as i32)).collect();
            powers.iter().map(|p| p / powers.iter().sum::<f64>()).collect()
        })
    }
}

/// Cases of every kind. The ratios keep three spacings below ½; a periodic mesh has at least three.
pub(crate) fn cases<const D: usize>() -> impl Strategy<Value = Case<D>> {
    let bricks = prop::array::uniform::<_, D>(1..6usize);
    let ratios = prop::array::uniform::<_, D>(prop_oneof![Just(1.0), 0.72..1.4]);
    (bricks, ratios, any::<bool>(), any::<Option<u64>>()).prop_map(|(bricks, ratios, periodic, seed)| {
        let bricks = if periodic { bricks.map(|n| n.max(3)) } else { bricks };
        Case { bricks, ratios, periodic, seed }
    })
}

/// The vector from `a` to `b`, across the border of a periodic mesh where that is shorter.
pub(crate) fn way<const D: usize>(a: [f64; D], b: [f64; D], periodic: bool) -> [f64; D] {
    std::array::from_fn(|d| {
        let way = b[d] - a[d];
        if periodic { way - way.round() } else { way }
    })
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn add<const D: usize>(sum: &mut [f64; D], factor: f64, summand: [f64; D]) {
    sum.iter_mut().zip(summand).for_each(|(sum, x)| *sum += factor * x);
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < TOLERANCE
}

pub(crate) fn sorted<const N: usize>(mut row: [u32; N]) -> [u32; N] {
    row.sort_unstable();
    row
}

/// Checks that entries are in range, rows have no entry twice, rows differ, and every target occurs.
pub(crate) fn check_rows<const N: usize>(rows: &[[u32; N]], targets: usize) {
    let mut met = vec![false; targets];
    let mut seen = HashSet::new();
    for row in rows.iter().copied().map(sorted) {
        assert!(row.windows(2).all(|pair| pair[0] != pair[1]), "{row:?} has an entry twice");
        assert!(seen.insert(row), "{row:?} occurs twice");
        row.iter().for_each(|&k| met[k as usize] = true);
    }
    assert!(met.iter().all(|&met| met), "an element is in no row");
}

/// Checks that the cells' lists of `all` faces agree with the cells of interior and boundary faces.
pub(crate) fn check_sides<const F: usize>(cell_faces: &[[u32; F]], face_cells: &[[u32; 2]], bface_cell: &[[u32; 1]]) {
    let mut found = vec![Vec::new(); cell_faces.len()];
    let sides = face_cells.iter().map(|row| &row[..]).chain(bface_cell.iter().map(|row| &row[..]));
    for (face, cells) in sides.enumerate() {
        cells.iter().for_each(|&cell| found[cell as usize].push(face as u32));
    }
    for (found, faces) in found.into_iter().zip(cell_faces) {
        assert_eq!(found, sorted(*faces));
    }
}
