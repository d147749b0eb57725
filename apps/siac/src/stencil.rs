//! The stencils of points: where they lie, and their kernels.

use op2_apps::flaw::Flaw;

use crate::mesh::Boundary;
use crate::spline::Kernel;

/// The smallest scale of a kernel: its cells are still resolved to seven digits.
const FINEST: f64 = 1e-9;

/// Periods of the domain that a stencil may be wide.
const WIDEST: f64 = 64.0;

/// The stencils of a list of points, each (3P + 1) h wide. `N` = P + 1 is the number of coefficients of the kernel in
/// a cell, `M` = 3P + 1 the number of cells.
#[derive(Clone, Debug)]
pub struct Stencils<const N: usize, const M: usize> {
    /// The scale of the kernel.
    pub h: f64,
    /// The boundary of the domain.
    pub boundary: Boundary,
    /// The middle of each stencil: the point itself, or where the boundary is one-sided the nearest place from which
    /// the stencil does not reach out.
    pub centres: Vec<[f64; 2]>,
    /// For each stencil the numbers of its kernels in x and y in `tables`.
    pub kernels: Vec<[u32; 2]>,
    /// Kernels as polynomials on each cell; the first one is the symmetric one.
    pub tables: Vec<[[f64; N]; M]>,
}

impl<const N: usize, const M: usize> Stencils<N, M> {
    /// The stencils of `points` for kernels of scale `h`.
    ///
    /// # Errors
    /// [`Flaw`] if `h` is not a positive number, a point is outside the unit square, or the stencil of a one-sided
    /// kernel is wider than the square.
    ///
    /// # Panics
    /// If `N` and `M` are not those of a kernel.
    pub fn new(points: &[[f64; 2]], h: f64, boundary: Boundary) -> Result<Self, Flaw> {
        check_scale::<M>(h, boundary)?;
        for (number, [x, y]) in points.iter().enumerate() {
            if ![x, y].into_iter().all(|c| (0.0..=1.0).contains(c)) {
                let reason = format!(
                    "it is at ({x}, {y}), expected coordinates from 0 to 1: points have to be in the unit square"
                );
                return Err(Flaw::at("point", number, points.len(), reason));
            }
        }
        let kernel = Kernel::new(N - 1);
        let half = 0.5 * M as f64 * h;
        let mut tables = vec![kernel.pieces()];
        let mut kernels = Vec::with_capacity(points.len());
        let mut centres = Vec::with_capacity(points.len());
        for point in points {
            let centre = match boundary {
                Boundary::Periodic => *point,
                Boundary::OneSided => point.map(|c| c.clamp(half, 1.0 - half)),
            };
            kernels.push([0, 1].map(|k| {
                if centre[k] == point[k] {
                    return 0;
                }
                tables.push(kernel.shifted_pieces((centre[k] - point[k]) / h));
                (tables.len() - 1) as u32
            }));
            centres.push(centre);
        }
        Ok(Self { h, boundary, centres, kernels, tables })
    }

    /// The width of a stencil.
    pub fn width(&self) -> f64 {
        M as f64 * self.h
    }
}

fn check_scale<const M: usize>(h: f64, boundary: Boundary) -> Result<(), Flaw> {
    if !(h.is_finite() && h > 0.0) {
        return Err(Flaw::of_mesh(format!("the scale h of the filter is {h}, expected a positive number")));
    }
    if h < FINEST {
        return Err(Flaw::of_mesh(format!(
            "the scale h of the filter is {h:e}, expected {FINEST:e} or more: places in the unit square have 16 digits, of which a smaller \
             stencil would leave too few"
        )));
    }
    let width = M as f64 * h;
    if boundary == Boundary::Periodic && width > WIDEST {
        return Err(Flaw::of_mesh(format!(
            "the stencil is {width} wide, {M} times h, expected at most {WIDEST} periods of the domain, in each of which it meets all \
             triangles: choose a smaller h"
        )));
    }
    if boundary == Boundary::OneSided && width > 1.0 {
        return Err(Flaw::of_mesh(format!(
            "the stencil is {width} wide, {M} times h, and one-sided stencils have to lie in the unit square: refine the mesh \
             or choose a smaller h"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(points: &[[f64; 2]], h: f64, boundary: Boundary) -> String {
        Stencils::<2, 4>::new(points, h, boundary).unwrap_err().to_string()
    }

    #[test]
    fn bad_scales_and_points_are_refused_by_name() {
        let inside = [[0.5, 0.5], [0.0, 1.0]];
        for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let expected = format!("the scale h of the filter is {h}, expected a positive number");
            assert_eq!(said(&inside, h, Boundary::Periodic), expected);
        }
        assert!(
            said(&[[0.5, 0.5], [0.5, 1.5]], 0.1, Boundary::Periodic).starts_with("point 1 of 2: it is at (0.5, 1.5)")
        );
        assert!(said(&[[f64::NAN, 0.5]], 0.1, Boundary::Periodic).starts_with("point 0 of 1: it is at (NaN, 0.5)"));
        assert!(
            said(&inside, 20.0, Boundary::Periodic)
                .starts_with("the stencil is 80 wide, 4 times h, expected at most 64")
        );
        assert!(said(&inside, 0.3, Boundary::OneSided).starts_with("the stencil is 1.2 wide"));
    }

    #[test]
    fn one_sided_stencils_stay_inside() {
        let stencils = Stencils::<2, 4>::new(&[[0.5, 0.5], [0.0, 0.99]], 0.1, Boundary::OneSided).unwrap();
        assert_eq!(stencils.centres[0], [0.5, 0.5]);
        assert_eq!(stencils.kernels, [[0, 0], [1, 2]]);
        let [x, y] = stencils.centres[1];
        assert!((x - 0.2).abs() < 1e-15 && (y - 0.8).abs() < 1e-15);
    }
}
