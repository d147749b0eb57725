//! The standard mesh of OP2's airfoil: a C-mesh around a NACA0012 profile.
//!
//! The square root of the complex plane, taken with its origin just inside of the leading edge, opens the profile into
//! a gentle bump on the real axis. The mesh is uniform in x there and uniform in y between the bump and y = 3; squaring
//! brings it back. The real axis on either side of the bump is the cut behind the trailing edge, folded up.

use std::f64::consts::PI;

use super::{Mesh, Spline};
use crate::physics::{FAR_FIELD, WALL};
use crate::{Error, Result};

/// The most cells that [`Mesh::naca0012`] makes: some 15 GB in a run, and every number of the mesh well inside `i32`.
pub const MAX_CELLS: u64 = 100_000_000;

/// Real part of the point where the square root branches.
const BRANCH: f64 = 0.0077;

/// The transformed plane reaches from −`REACH` to `REACH` in x and from the profile to `REACH` in y.
const REACH: f64 = 3.0;

impl Mesh {
    /// The C-mesh with `i` cells along the profile (`3·i` along the whole of it) and `j` cells away from it: `3·i·j`
    /// cells, `(3·i + 1)·(j + 1)` nodes. The standard mesh has `i` = 400, `j` = 600.
    ///
    /// Nodes and cells are numbered row by row away from the profile. Coordinates have six decimals, because OP2's mesh
    /// goes through a text file that has.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if `i` or `j` is 0, or `3·i·j` above [`MAX_CELLS`].
    pub fn naca0012(i: u32, j: u32) -> Result<Self> {
        if i == 0 || j == 0 {
            return Err(Error::Usage(format!("the mesh has size {i} × {j}, expected at least 1 × 1")));
        }
        let cells = u128::from(i) * u128::from(j) * 3;
        if cells > u128::from(MAX_CELLS) {
            return Err(Error::Usage(format!(
                "a mesh of size {i} × {j} has {cells} cells, expected at most {MAX_CELLS}: choose a smaller size"
            )));
        }
        let grid = Grid { i, j };
        let mut mesh = Self { x: grid.coordinates(), cell_nodes: grid.cell_nodes(), ..Self::default() };
        grid.add_edges(&mut mesh);
        grid.add_boundary(&mut mesh);
        Ok(mesh)
    }
}

/// The rectangular grid behind the mesh; its columns run from 0 to `3·i`, its rows from 0 to `j`.
struct Grid {
    i: u32,
    j: u32,
}

impl Grid {
    fn columns(&self) -> u32 {
        3 * self.i
    }

    fn node(&self, column: u32, row: u32) -> u32 {
        row * (self.columns() + 1) + column
    }

    fn cell(&self, column: u32, row: u32) -> u32 {
        row * self.columns() + column
    }

    fn coordinates(&self) -> Vec<[f64; 2]> {
        let abscissae: Vec<f64> = uniform(-REACH, REACH, self.columns()).collect();
        let mut bottom = vec![0.0; abscissae.len()];
        let profile = profile();
        for column in self.i as usize + 1..2 * self.i as usize {
            bottom[column] = profile.value(abscissae[column]);
        }
        let rows = self.j as usize + 1;
        let mut x = vec![[0.0; 2]; abscissae.len() * rows];
        for (column, (&a, &b)) in abscissae.iter().zip(&bottom).enumerate() {
            for (row, o) in uniform(b, REACH, self.j).enumerate() {
                x[row * abscissae.len() + column] = [six_decimals(a * a - o * o), six_decimals(2.0 * a * o)];
            }
        }
        x
    }

    fn cell_nodes(&self) -> Vec<[u32; 4]> {
        let cells = (0..self.j).flat_map(|row| (0..self.columns()).map(move |column| (column, row)));
        cells
            .map(|(c, r)| [self.node(c, r), self.node(c + 1, r), self.node(c + 1, r + 1), self.node(c, r + 1)])
            .collect()
    }

    fn add_edges(&self, mesh: &mut Mesh) {
        let (columns, i, j) = (self.columns() as usize, self.i as usize, self.j as usize);
        let edges = (columns - 1) * j + columns * (j - 1) + i;
        mesh.edge_nodes.reserve_exact(edges);
        mesh.edge_cells.reserve_exact(edges);
        let mut add = |nodes, cells| {
            mesh.edge_nodes.push(nodes);
            mesh.edge_cells.push(cells);
        };
        for r in 0..self.j {
            for c in 0..self.columns() {
                if r == 0 && c < self.i {
                    // Along the cut, the other cell is the mirror image in the bottom row.
                    let opposite = self.columns() - 1 - c;
                    add([self.node(c, 0), self.node(c + 1, 0)], [self.cell(opposite, 0), self.cell(c, 0)]);
                }
                if r + 1 < self.j {
                    add([self.node(c, r + 1), self.node(c + 1, r + 1)], [self.cell(c, r), self.cell(c, r + 1)]);
                }
                if c + 1 < self.columns() {
                    add([self.node(c + 1, r), self.node(c + 1, r + 1)], [self.cell(c + 1, r), self.cell(c, r)]);
                }
            }
        }
    }

    fn add_boundary(&self, mesh: &mut Mesh) {
        let (columns, rows) = (self.columns(), self.j);
        let mut add = |nodes, cell, bound| {
            mesh.bedge_nodes.push(nodes);
            mesh.bedge_cell.push(cell);
            mesh.bound.push(bound);
        };
        for c in self.i..2 * self.i {
            add([self.node(c + 1, 0), self.node(c, 0)], self.cell(c, 0), WALL);
        }
        for r in 0..rows {
            add([self.node(columns, r + 1), self.node(columns, r)], self.cell(columns - 1, r), FAR_FIELD);
        }
        for c in (0..columns).rev() {
            add([self.node(c, rows), self.node(c + 1, rows)], self.cell(c, rows - 1), FAR_FIELD);
        }
        for r in (0..rows).rev() {
            add([self.node(0, r), self.node(0, r + 1)], self.cell(0, r), FAR_FIELD);
        }
    }
}

/// The profile in the transformed plane, as ordinates over abscissae: its upper side from leading to trailing edge on
/// the right, and mirrored on the left, the lower side.
fn profile() -> Spline {
    let upper: Vec<[f64; 2]> = upper_side().into_iter().map(|[x, y]| square_root(x - BRANCH, y)).collect();
    let lower = upper.iter().rev().map(|[a, b]| [-a, *b]);
    let points: Vec<[f64; 2]> = lower.chain(upper[1..].iter().copied()).collect();
    let abscissae: Vec<f64> = points.iter().map(|p| p[0]).collect();
    let ordinates: Vec<f64> = points.iter().map(|p| p[1]).collect();
    Spline::new(&abscissae, &ordinates).expect("the fixed points of the profile are finite and ascend")
}

/// The upper side of the profile, from its leading to its trailing edge, where it is closed.
fn upper_side() -> Vec<[f64; 2]> {
    const POINTS: u32 = 100;
    let thickness = |x: f64| {
        0.298222773 * x.sqrt() - 0.127125232 * x - 0.357907906 * x.powi(2) + 0.291984971 * x.powi(3)
            - 0.105174696 * x.powi(4)
    };
    let mut points: Vec<[f64; 2]> =
        uniform(0.0, PI / 2.0, POINTS - 1).map(|t| t.sin().powi(2)).map(|x| [x, 0.594689181 * thickness(x)]).collect();
    points[POINTS as usize - 1][1] = 0.0;
    points
}

/// The principal square root of `x + iy` for `y ≥ 0`, as `[real, imaginary]`; neither part is a difference of nearly
/// equal numbers.
fn square_root(x: f64, y: f64) -> [f64; 2] {
    let large = ((x.hypot(y) + x.abs()) / 2.0).sqrt();
    let small = if large == 0.0 { 0.0 } else { y / (2.0 * large) };
    if x >= 0.0 { [large, small] } else { [small, large] }
}

/// `intervals + 1` values from `from` to `to`, both of them exact.
fn uniform(from: f64, to: f64, intervals: u32) -> impl Iterator<Item = f64> {
    (0..=intervals).map(
        move |k| {
            if k == intervals { to } else { from + f64::from(k) * (to - from) / f64::from(intervals) }
        },
    )
}

/// `value` rounded to the six decimals that C's `%f` writes.
fn six_decimals(value: f64) -> f64 {
    let scaled = value * 1e6;
    let whole = scaled.round();
    if ((scaled - whole).abs() - 0.5).abs() < 1e-3 {
        // Near the middle between two decimals the product's own rounding could decide; the text decides exactly.
        return format!("{value:.6}").parse().expect("a number that was just written is read back");
    }
    whole / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_decimals_are_those_of_the_text() {
        let mut value: f64 = 1.234_567_8e-7;
        for _ in 0..2000 {
            for v in [value, -value, value + 5e-7, (value * 1e6).round() / 1e6 + 5e-7] {
                let text: f64 = format!("{v:.6}").parse().unwrap();
                assert_eq!(six_decimals(v).to_bits(), text.to_bits(), "{v}");
            }
            value *= 1.0095;
        }
    }

    #[test]
    fn a_square_root_squares_to_what_it_came_from() {
        for (x, y) in [(-0.0077, 0.0), (0.0, 0.0), (0.9923, 0.0), (-1e-3, 0.01), (0.25, 0.06), (0.0, 2.0)] {
            let [a, b] = square_root(x, y);
            assert!((a * a - b * b - x).abs() < 1e-15 && (2.0 * a * b - y).abs() < 1e-15, "{x} {y}");
            assert!(a >= 0.0 && b >= 0.0);
        }
    }

    #[test]
    fn uniform_values_have_exact_ends() {
        let values: Vec<f64> = uniform(-3.0, 3.0, 6).collect();
        assert_eq!(values, [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
    }
}
