//! Functions as polynomials on each triangle: the discontinuous solutions u_h that the filter takes.
//!
//! A polynomial is a sum of monomials ξᵃηᵇ of the reference triangle, whose vertices (0,0) (1,0) (0,1) are the
//! triangle's.

use crate::mesh::twice_area;
use crate::quadrature::{Node, place, rule};

/// The corners of a triangle, counter-clockwise.
pub type Corners = [[f64; 2]; 3];

/// The degree of the rule that computes the integrals of a function which is no polynomial exceeds by this what
/// polynomials need.
const MARGIN: usize = 6;

/// Polynomials on triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    exponents: Vec<[usize; 2]>,
    coefficients: Vec<f64>,
}

impl Solution {
    /// The polynomials with those coefficients of ξᵃηᵇ, for each triangle as many as there are pairs (a, b) in
    /// `exponents`.
    ///
    /// # Panics
    /// If the last triangle does not have all its coefficients.
    pub fn new(exponents: Vec<[usize; 2]>, coefficients: Vec<f64>) -> Self {
        assert_eq!(coefficients.len() % exponents.len().max(1), 0, "the same number of coefficients for each triangle");
        Self { exponents, coefficients }
    }

    /// The polynomials of degree `degree` nearest to `f` in L2.
    pub fn projected(corners: &[Corners], degree: usize, f: impl Fn(f64, f64) -> f64) -> Self {
        let terms = exponents(degree);
        let nodes = rule(2 * degree + MARGIN);
        let modes = modes(degree);
        let at_node = |mode: &[f64], [xi, eta, _]: &Node| value(&terms, mode, *xi, *eta);
        let weights: Vec<Vec<f64>> = modes
            .iter()
            .map(|(square, mode)| nodes.iter().map(|n| n[2] * at_node(mode, n) / square).collect())
            .collect();
        let mut coefficients = vec![0.0; corners.len() * terms.len()];
        for (triangle, sum) in corners.iter().zip(coefficients.chunks_mut(terms.len())) {
            let mut rest: Vec<f64> =
                nodes.iter().map(|n| place(triangle, [n[0], n[1]])).map(|[x, y]| f(x, y)).collect();
            // The second round removes what rounding left in the first.
            for _ in 0..2 {
                let mut found = vec![0.0; terms.len()];
                for ((_, mode), weights) in modes.iter().zip(&weights) {
                    let part: f64 = weights.iter().zip(&rest).map(|(w, v)| w * v).sum();
                    found.iter_mut().zip(mode).for_each(|(sum, c)| *sum += part * c);
                }
                rest.iter_mut().zip(&nodes).for_each(|(rest, n)| *rest -= at_node(&found, n));
                sum.iter_mut().zip(found).for_each(|(sum, c)| *sum += c);
            }
        }
        Self { exponents: terms, coefficients }
    }

    /// The pairs (a, b) of the monomials ξᵃηᵇ, in the order of the coefficients.
    pub fn exponents(&self) -> &[[usize; 2]] {
        &self.exponents
    }

    /// The coefficients of all triangles, one triangle after the other.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The coefficients of one triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn of(&self, triangle: usize) -> &[f64] {
        let terms = self.exponents.len();
        &self.coefficients[terms * triangle..terms * (triangle + 1)]
    }

    /// The total degree.
    pub fn degree(&self) -> usize {
        self.exponents.iter().map(|[a, b]| a + b).max().unwrap_or(0)
    }

    /// The value at a point of the reference triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn value(&self, triangle: usize, [xi, eta]: [f64; 2]) -> f64 {
        value(&self.exponents, self.of(triangle), xi, eta)
    }

    /// The values at points of the reference triangle, one triangle after the other.
    pub fn values(&self, points: &[[f64; 2]]) -> Vec<f64> {
        let triangles = self.coefficients.len() / self.exponents.len().max(1);
        (0..triangles).flat_map(|t| points.iter().map(move |at| self.value(t, *at))).collect()
    }

    /// The same polynomials in the form that [`kernels`](crate::kernels) take: for each triangle the coefficients
    /// `[a][b]` of XᵃYᵇ, (X, Y) being the distance from the triangle's first corner in units of `h`.
    ///
    /// # Panics
    /// If `D` is not the degree + 1 or more.
    pub fn framed<const D: usize>(&self, corners: &[Corners], h: f64) -> Vec<[[f64; D]; D]> {
        assert!(self.degree() < D, "{D} rows of coefficients for degree {}", self.degree());
        corners.iter().enumerate().map(|(n, triangle)| framed(&self.exponents, self.of(n), triangle, h)).collect()
    }

    /// The L2 error and the greatest error at a point of the rule by which the L2 error is computed.
    pub fn errors(&self, corners: &[Corners], f: impl Fn(f64, f64) -> f64) -> Errors {
        let nodes = rule(2 * self.degree() + MARGIN);
        let mut errors = Errors::default();
        for (n, triangle) in corners.iter().enumerate() {
            for [xi, eta, w] in &nodes {
                let [x, y] = place(triangle, [*xi, *eta]);
                errors.add(0.5 * w * twice_area(triangle), self.value(n, [*xi, *eta]) - f(x, y));
            }
        }
        errors
    }
}

/// The errors of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    square: f64,
    /// The greatest error at a point.
    pub greatest: f64,
}

impl Errors {
    /// The errors of values at the points of a symmetric rule on each triangle, one triangle after the other, as
    /// [`points_of`](crate::quadrature::points_of) has them.
    ///
    /// # Panics
    /// If there are neither 3 nor 6 values for each triangle.
    pub fn at_points(corners: &[Corners], points: usize, values: &[f64], f: impl Fn(f64, f64) -> f64) -> Self {
        assert_eq!(values.len(), corners.len() * points, "{points} values for each triangle");
        let nodes = rule(if points == 3 { 2 } else { 4 });
        assert_eq!(nodes.len(), points, "3 or 6 points for each triangle");
        let mut errors = Self::default();
        for (triangle, values) in corners.iter().zip(values.chunks(points)) {
            for ([xi, eta, w], value) in nodes.iter().zip(values) {
                let [x, y] = place(triangle, [*xi, *eta]);
                errors.add(0.5 * w * twice_area(triangle), value - f(x, y));
            }
        }
        errors
    }

    /// √ of the integral of the square of the error.
    pub fn l2(&self) -> f64 {
        self.square.sqrt()
    }

    fn add(&mut self, weight: f64, error: f64) {
        self.square += weight * error * error;
        // A NaN stays.
        self.greatest = if error.abs() <= self.greatest { self.greatest } else { error.abs() };
    }
}

/// The exponents of all monomials up to a total degree: 1, ξ, η, ξ², ξη, η², ….
pub fn exponents(degree: usize) -> Vec<[usize; 2]> {
    (0..=degree).flat_map(|total| (0..=total).map(move |b| [total - b, b])).collect()
}

fn value(exponents: &[[usize; 2]], coefficients: &[f64], xi: f64, eta: f64) -> f64 {
    let term = |([a, b], c): (&[usize; 2], &f64)| c * xi.powi(*a as i32) * eta.powi(*b as i32);
    exponents.iter().zip(coefficients).map(term).sum()
}

/// Orthogonal polynomials on the reference triangle (M. Dubiner, Journal of Scientific Computing 6, 1991): the mean of
/// the square of each, and its coefficients in the order of [`exponents`]. They are whole numbers, so they are exact.
fn modes(degree: usize) -> Vec<(f64, Vec<f64>)> {
    let exponents = exponents(degree);
    let indices = exponents.iter();
    let mode = |&[i, j]: &[usize; 2]| {
        let mut mode = vec![0.0; exponents.len()];
        let alpha = 2 * i + 1;
        // (1 − η)ⁱ Pᵢ(2ξ/(1 − η) − 1) Pⱼ(2η − 1), Pᵢ of Legendre and Pⱼ of Jacobi for (α, 0), in powers of ξ, 1 − η
        // and η.
        for (k, s) in (0..=i).flat_map(|k| (0..=j).map(move |s| (k, s))) {
            let sign = if (i - k + s) % 2 == 0 { 1.0 } else { -1.0 };
            let factor = sign * choose(i, k) * choose(i + k, k) * choose(j + alpha, j - s) * choose(j, s);
            let rest = i - k + s;
            for t in 0..=rest {
                let power = [k, j - s + t];
                let at = exponents.iter().position(|e| *e == power).expect("no degree is beyond that of the mode");
                mode[at] += factor * choose(rest, t) * if t % 2 == 0 { 1.0 } else { -1.0 };
            }
        }
        (1.0 / ((2 * i + 1) * (i + j + 1)) as f64, mode)
    };
    indices.map(mode).collect()
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |c, m| c * (n - m) as f64 / (m + 1) as f64)
}

/// The polynomial of one triangle in powers of the distance from its first corner, in units of `h`.
fn framed<const D: usize>(exponents: &[[usize; 2]], c: &[f64], corners: &Corners, h: f64) -> [[f64; D]; D] {
    let [o, p, q] = corners;
    let scale = h / twice_area(corners);
    let xi = [(q[1] - o[1]) * scale, -(q[0] - o[0]) * scale];
    let eta = [-(p[1] - o[1]) * scale, (p[0] - o[0]) * scale];
    let mut one = [[0.0; D]; D];
    one[0][0] = 1.0;
    // Powers of ξ, and each times powers of η.
    let mut powers = vec![vec![one]];
    for a in 0..D {
        let row = &mut powers[a];
        (1..D - a).for_each(|b| row.push(times_linear(&row[b - 1], eta)));
        if a + 1 < D {
            let next = times_linear(&powers[a][0], xi);
            powers.push(vec![next]);
        }
    }
    let mut sum = [[0.0; D]; D];
    for ([a, b], c) in exponents.iter().zip(c) {
        let monomial = &powers[*a][*b];
        sum.iter_mut().flatten().zip(monomial.iter().flatten()).for_each(|(sum, m)| *sum += c * m);
    }
    sum
}

/// A polynomial of degree D − 2 or less times a linear one without constant.
fn times_linear<const D: usize>(polynomial: &[[f64; D]; D], [x, y]: [f64; 2]) -> [[f64; D]; D] {
    let mut product = [[0.0; D]; D];
    for (a, b) in (0..D).flat_map(|a| (0..D).map(move |b| (a, b))).filter(|(a, b)| a + b + 1 < D) {
        product[a + 1][b] += x * polynomial[a][b];
        product[a][b + 1] += y * polynomial[a][b];
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Kind;

    #[test]
    fn modes_are_orthogonal() {
        let (degree, nodes) = (6, rule(12));
        let exponents = exponents(degree);
        let modes = modes(degree);
        for (n, (square, a)) in modes.iter().enumerate() {
            for (m, (_, b)) in modes.iter().enumerate() {
                let mean: f64 =
                    nodes.iter().map(|[x, y, w]| w * value(&exponents, a, *x, *y) * value(&exponents, b, *x, *y)).sum();
                let expected = if n == m { *square } else { 0.0 };
                assert!((mean - expected).abs() < 1e-10, "{n} {m}: {mean} instead of {expected}");
            }
        }
    }

    #[test]
    fn polynomials_are_their_own_projection() {
        let corners = Kind::Low.mesh(60, 1).unwrap().corners();
        for degree in 0..=8 {
            let f = |x: f64, y: f64| (x + 0.5 * y).powi(degree as i32) - 2.0 * y.powi(degree as i32);
            let solution = Solution::projected(&corners, degree, f);
            assert!(solution.errors(&corners, f).greatest < 3e-13, "{degree}: {:?}", solution.errors(&corners, f));
        }
    }

    #[test]
    fn what_a_projection_leaves_is_orthogonal_and_converges() {
        let wave = |x: f64, y: f64| (6.0 * x).sin() * (5.0 * y).cos();
        for degree in 1..=3 {
            let error = |triangles: usize| {
                let corners = Kind::Structured.mesh(triangles, 1).unwrap().corners();
                let solution = Solution::projected(&corners, degree, wave);
                let worst = Solution::projected(&corners, degree + 1, wave).errors(&corners, wave).l2();
                assert!(worst < solution.errors(&corners, wave).l2());
                solution.errors(&corners, wave).l2()
            };
            let order = (error(128) / error(512)).log2();
            assert!((order - (degree + 1) as f64).abs() < 0.2, "{degree}: order {order}");
        }
    }

    #[test]
    fn the_frame_of_kernels_has_the_same_values() {
        let corners = Kind::Low.mesh(60, 2).unwrap().corners();
        let solution = Solution::projected(&corners, 3, |x, y| (3.0 * x - y).exp());
        let h = 0.2;
        for (n, u) in solution.framed::<4>(&corners, h).iter().enumerate() {
            let at = [0.3, 0.45];
            let [x, y] = place(&corners[n], at);
            let (x, y) = ((x - corners[n][0][0]) / h, (y - corners[n][0][1]) / h);
            let row = |row: &[f64; 4]| row.iter().rev().fold(0.0, |sum, c| sum * y + c);
            let found = u.iter().rev().fold(0.0, |sum, r| sum * x + row(r));
            let expected = solution.value(n, at);
            assert!((found - expected).abs() < 1e-13 * expected.abs(), "{n}: {found} {expected}");
        }
    }
}
