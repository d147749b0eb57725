//! The contribution of one triangle to the filtered value at one point, in op2's kernel language.
//!
//! The *stencil* of a point is the square in which its kernel is not zero. Its coordinates are the distance from its
//! lower left corner in units of h, so that it consists of unit cells, on each of which the kernel is a polynomial
//! (the paper, figure 5). The triangle is clipped against those cells that it meets, the pieces are cut into triangles,
//! and each is integrated by a rule that is exact (the paper, section 3.1).

mod clip;

use clip::{piece, rows, shape};

/// A piece is there if it has more area than this, in units of h².
pub const EMPTY: f64 = 1e-28;

/// The corners of a triangle in the coordinates of a stencil.
///
/// `shift` leads to the triangle from its image in the mesh, as where the domain is periodic; `centre` is the middle
/// of the stencil: the point itself, unless the kernel is one-sided; `cells` is how many unit cells the stencil is
/// wide.
#[op2::device_fn]
pub fn in_stencil(
    corners: &[[f64; 2]; 3],
    shift: &[f64; 2],
    centre: &[f64; 2],
    inverse_h: f64,
    cells: usize,
) -> [[f64; 2]; 3] {
    let half = 0.5 * (cells as f64);
    let mut placed = *corners;
    for corner in &mut placed {
        for k in 0..2 {
            corner[k] = (corner[k] + shift[k] - centre[k]) * inverse_h + half;
        }
    }
    placed
}

/// The integral of K(x) K(y) u over a triangle, and whether it meets the stencil: whether a piece of it in a cell has
/// more area than [`EMPTY`].
///
/// `corners` are those in the stencil, as [`in_stencil`] has them; `u` the coefficients `[a][b]` of XᵃYᵇ, (X, Y) being
/// the distance from the first corner; `kx` and `ky` the kernel in both directions, with the coefficients of each of
/// its cells by ascending power of the distance from the cell's left end; `rule` a rule of quadrature that is exact
/// for degree 2P + d, d being the degree of u.
#[op2::device_fn]
pub fn contribution<const N: usize, const M: usize, const D: usize, const Q: usize>(
    corners: &[[f64; 2]; 3],
    u: &[[f64; D]; D],
    kx: &[[f64; N]; M],
    ky: &[[f64; N]; M],
    rule: &[[f64; 3]; Q],
) -> (f64, bool) {
    let shape = shape(corners);
    let last = M as f64 - 1.0;
    let mut sum = 0.0;
    let mut greatest = 0.0;
    // One loop over all cells, so that triangles that meet as many cells in other columns go together through lanes.
    let mut column = shape.left[0].floor().max(0.0);
    let (mut row, mut end) = rows(&shape, column, last);
    while column < shape.right && column <= last {
        let (in_x, in_y) = (kx[column as usize], ky[row as usize]);
        let polygon = piece(&shape, column, row);
        let moved = translated(u, column - corners[0][0], row - corners[0][1]);
        let (value, area) = integral(&polygon, &moved, &in_x, &in_y, rule);
        sum += value;
        greatest = area.max(greatest);
        row += 1.0;
        if row >= end {
            column += 1.0;
            let (first, next) = rows(&shape, column, last);
            row = first;
            end = next;
        }
    }
    (sum, greatest > EMPTY)
}

/// The polynomial u(X + x, Y + y) in X and Y.
#[op2::device_fn]
fn translated<const D: usize>(u: &[[f64; D]; D], x: f64, y: f64) -> [[f64; D]; D] {
    let mut moved = *u;
    // Horner's scheme with all remainders, in one direction after the other.
    for round in 1..D {
        for at in (round..D).rev() {
            for b in 0..D - at {
                moved[at - 1][b] += x * moved[at][b];
            }
        }
    }
    for a in 0..D - 1 {
        for round in 1..D - a {
            for at in (round..D - a).rev() {
                moved[a][at - 1] += y * moved[a][at];
            }
        }
    }
    moved
}

/// The integral over a polygon within a cell, and its area. All is in the coordinates of the cell; the kernel and u
/// are polynomials there.
#[op2::device_fn]
fn integral<const N: usize, const D: usize, const Q: usize>(
    polygon: &[[f64; 2]; 7],
    u: &[[f64; D]; D],
    kx: &[f64; N],
    ky: &[f64; N],
    rule: &[[f64; 3]; Q],
) -> (f64, f64) {
    let mut sum = 0.0;
    let mut area = 0.0;
    let [x, y] = polygon[0];
    for k in 1..6 {
        let a = [polygon[k][0] - x, polygon[k][1] - y];
        let b = [polygon[k + 1][0] - x, polygon[k + 1][1] - y];
        let part = 0.5 * (a[0] * b[1] - a[1] * b[0]).abs();
        if part > 0.0 {
            let mut mean = 0.0;
            for node in rule {
                let s = x + node[0] * a[0] + node[1] * b[0];
                let t = y + node[0] * a[1] + node[1] * b[1];
                mean += node[2] * (horner(kx, s) * horner(ky, t) * product(u, s, t));
            }
            sum += part * mean;
            area += part;
        }
    }
    (sum, area)
}

/// A polynomial by ascending power, at x.
#[op2::device_fn]
fn horner<const N: usize>(c: &[f64; N], x: f64) -> f64 {
    let mut sum = c[N - 1];
    for k in 1..N {
        sum = sum * x + c[N - 1 - k];
    }
    sum
}

/// A polynomial of total degree D − 1 at (x, y).
#[op2::device_fn]
fn product<const D: usize>(c: &[[f64; D]; D], x: f64, y: f64) -> f64 {
    let mut sum = c[D - 1][0];
    for k in 1..D {
        let a = D - 1 - k;
        let mut row = c[a][k];
        for m in 0..k {
            row = row * y + c[a][k - 1 - m];
        }
        sum = sum * x + row;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    /// Algorithm 1 of the paper, for the half plane in which `inside` is not negative.
    fn clipped(polygon: &[[f64; 2]], inside: impl Fn([f64; 2]) -> f64) -> Vec<[f64; 2]> {
        let mut result = Vec::new();
        for (n, e) in polygon.iter().enumerate() {
            let s = polygon[(n + polygon.len() - 1) % polygon.len()];
            let (from, to) = (inside(s), inside(*e));
            if (from >= 0.0) != (to >= 0.0) {
                let part = from / (from - to);
                result.push([s[0] + part * (e[0] - s[0]), s[1] + part * (e[1] - s[1])]);
            }
            if to >= 0.0 {
                result.push(*e);
            }
        }
        result
    }

    /// The areas of a triangle's pieces in the cells of a stencil.
    fn areas(corners: &[[f64; 2]; 3], cells: usize) -> Vec<f64> {
        let piece = |column: f64, row: f64| {
            let sides = clipped(&clipped(corners, |v| v[0] - column), |v| column + 1.0 - v[0]);
            let piece = clipped(&clipped(&sides, |v| v[1] - row), |v| row + 1.0 - v[1]);
            let Some([x, y]) = piece.first().copied() else { return 0.0 };
            let fan = piece.windows(2).map(|v| (v[0][0] - x) * (v[1][1] - y) - (v[0][1] - y) * (v[1][0] - x));
            0.5 * fan.sum::<f64>()
        };
        (0..cells * cells).map(|n| piece((n % cells) as f64, (n / cells) as f64)).collect()
    }

    /// Compares the area within a stencil, and whether there is any.
    fn check(corners: &[[f64; 2]; 3]) {
        let one = [[1.0]; 4];
        let (area, hit) = contribution(corners, &[[1.0]], &one, &one, &[[1.0 / 3.0, 1.0 / 3.0, 1.0]]);
        let areas = areas(corners, 4);
        assert!((area - areas.iter().sum::<f64>()).abs() < 1e-13, "{corners:?}: {area} instead of {areas:?}");
        assert_eq!(hit, areas.iter().any(|area| *area > EMPTY), "{corners:?}: {areas:?}");
    }

    #[test]
    fn triangles_are_clipped_as_line_by_line() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut checked = 0;
        while checked < 40_000 {
            // Every other triangle has edges and vertices on the borders of cells.
            let aligned = checked % 2 == 0;
            let centre = [(); 2].map(|()| rng.random_range(-1.0..5.0_f64));
            let size = rng.random_range(0.1..3.0);
            let mut corners = [(); 3].map(|()| centre.map(|c| c + rng.random_range(-size..size)));
            if aligned {
                corners = corners.map(|v| v.map(|c| (4.0 * c).round() / 4.0));
            }
            let twice = crate::mesh::twice_area(&corners);
            if twice < 0.0 {
                corners.swap(0, 1);
            }
            if twice.abs() > 1e-3 {
                check(&corners);
                checked += 1;
            }
        }
    }

    #[test]
    fn a_tip_in_the_stencil_is_a_hit_and_a_touch_is_none() {
        let tip = |depth: f64| [[-0.5, 1.0], [-0.5, 0.0], [depth, 0.5]];
        let hit =
            |corners: &[[f64; 2]; 3]| contribution(corners, &[[1.0]], &[[1.0]; 4], &[[1.0]; 4], &[[0.5, 0.5, 1.0]]).1;
        assert!(hit(&tip(1e-9)) && hit(&tip(1e-13)));
        assert!(!hit(&tip(0.0)) && !hit(&tip(-1e-9)));
        let turned = |depth: f64| tip(depth).map(|[x, y]| [4.0 - y, 4.0 - x]);
        assert!(hit(&turned(1e-9)) && !hit(&turned(0.0)));
    }
}
