//! The kernel of the filter in one dimension, K(t) = Σ_γ c_γ ψ(t − (γ − P)), γ = 0 … 2P, in exact arithmetic.
//!
//! ψ is the centred B-spline of order P + 1 (degree P). The coefficients make ∫ K = 1 and the moments of K of degrees
//! 1 to 2P vanish, so that a convolution reproduces polynomials of degree 2P (the paper, section 2.2), and of degree
//! 2P + 1 by symmetry.

use num_rational::Ratio;
use num_traits::{One, ToPrimitive, Zero};

/// An exact number. All those of a kernel with P ≤ [`MAX_DEGREE`] fit.
pub type Exact = Ratio<i128>;

/// The greatest degree P of a kernel: beyond it numerators leave the range of 128 bits.
pub const MAX_DEGREE: usize = 3;

/// A polynomial: coefficients by ascending power.
type Polynomial = Vec<Exact>;

/// The kernel of the filter for one degree P.
#[derive(Clone, Debug)]
pub struct Kernel {
    degree: usize,
    /// The coefficient c_γ of each node if the nodes are γ − P + λ, as a polynomial in λ.
    coefficients: Vec<Polynomial>,
    /// ψ on its P + 1 unit cells, each in the coordinate from the cell's left end.
    spline: Vec<Polynomial>,
}

impl Kernel {
    /// The kernel of B-splines of degree P.
    ///
    /// # Panics
    /// Unless 1 ≤ P ≤ [`MAX_DEGREE`].
    pub fn new(degree: usize) -> Self {
        assert!((1..=MAX_DEGREE).contains(&degree), "P is {degree}, expected 1 to {MAX_DEGREE}");
        let moments = moments(degree);
        let coefficients =
            (0..=2 * degree).map(|node| coefficient(&lagrange(degree, node), &moments)).collect::<Vec<_>>();
        Self { degree, coefficients, spline: b_spline(degree) }
    }

    /// P.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of unit cells on which the kernel is a polynomial, 3P + 1: also its width.
    pub fn cells(&self) -> usize {
        3 * self.degree + 1
    }

    /// c_γ of the symmetric kernel, for γ = 0 … 2P.
    pub fn coefficients(&self) -> Vec<Exact> {
        self.coefficients.iter().map(|c| c[0]).collect()
    }

    /// The symmetric kernel on each cell, exact: coefficients by ascending power of the coordinate from the cell's
    /// left end.
    pub fn exact_pieces(&self) -> Vec<Vec<Exact>> {
        let c = self.coefficients();
        (0..self.cells()).map(|cell| self.piece(cell, &c)).collect()
    }

    /// The symmetric kernel on each cell: `N` = P + 1 coefficients of `M` = 3P + 1 cells.
    ///
    /// # Panics
    /// If the lengths are others.
    pub fn pieces<const N: usize, const M: usize>(&self) -> [[f64; N]; M] {
        self.rounded(self.exact_pieces())
    }

    /// The one-sided kernel whose nodes are shifted by `shift`, in units of h, on each of its cells, which are shifted
    /// as well (the paper, section 2.2, after J. K. Ryan and C.-W. Shu, Methods and Applications of Analysis 10,
    /// 2003).
    ///
    /// Polynomials of degree 2P are reproduced at the point from which the stencil was shifted away.
    ///
    /// # Panics
    /// If the lengths are others than those of [`pieces`](Self::pieces).
    pub fn shifted_pieces<const N: usize, const M: usize>(&self, shift: f64) -> [[f64; N]; M] {
        if shift == 0.0 {
            return self.pieces();
        }
        assert_eq!((N, M), (self.degree + 1, self.cells()), "lengths of the kernel's pieces");
        let c: Vec<f64> = self.coefficients.iter().map(|c| horner(c, shift)).collect();
        let mut pieces = [[0.0; N]; M];
        for (cell, piece) in pieces.iter_mut().enumerate() {
            for (node, part) in self.nodes_of(cell) {
                (piece.iter_mut().zip(&self.spline[part])).for_each(|(p, s)| *p += c[node] * float(s));
            }
        }
        pieces
    }

    /// The factor by which the filter multiplies sin(2πx), for a kernel of scale h:
    /// sinc(h)^(P+1) Σ_γ c_γ cos(2π(γ − P)h).
    pub fn symbol(&self, h: f64) -> f64 {
        let turn = std::f64::consts::PI * h;
        let sinc = if turn == 0.0 { 1.0 } else { turn.sin() / turn };
        let node = |n: usize| n as f64 - self.degree as f64;
        let waves =
            self.coefficients().iter().enumerate().map(|(n, c)| float(c) * (2.0 * turn * node(n)).cos()).sum::<f64>();
        sinc.powi(self.degree as i32 + 1) * waves
    }

    fn piece(&self, cell: usize, c: &[Exact]) -> Polynomial {
        let mut sum = vec![Exact::zero(); self.degree + 1];
        for (node, part) in self.nodes_of(cell) {
            sum.iter_mut().zip(&self.spline[part]).for_each(|(p, s)| *p += c[node] * s);
        }
        sum
    }

    /// The nodes whose splines cover a cell, each with the piece of the spline that lies there.
    fn nodes_of(&self, cell: usize) -> impl Iterator<Item = (usize, usize)> {
        let (nodes, parts) = (2 * self.degree + 1, self.degree + 1);
        (0..nodes).filter(move |node| (*node..node + parts).contains(&cell)).map(move |node| (node, cell - node))
    }

    fn rounded<const N: usize, const M: usize>(&self, exact: Vec<Polynomial>) -> [[f64; N]; M] {
        assert_eq!((N, M), (self.degree + 1, self.cells()), "lengths of the kernel's pieces");
        std::array::from_fn(|cell| std::array::from_fn(|power| float(&exact[cell][power])))
    }
}

/// The nearest float, or one next to it.
fn float(exact: &Exact) -> f64 {
    // The parts of a kernel's numbers are small enough for `f64` to hold them.
    exact.numer().to_f64().unwrap_or(f64::NAN) / exact.denom().to_f64().unwrap_or(f64::NAN)
}

fn whole(n: usize) -> Exact {
    Exact::from_integer(n as i128)
}

fn horner(polynomial: &[Exact], x: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, c| sum * x + float(c))
}

/// The product of two polynomials.
fn times(a: &[Exact], b: &[Exact]) -> Polynomial {
    let mut product = vec![Exact::zero(); a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, b)| product[i + j] += a * b);
    }
    product
}

/// The moments m = 0 … 2P that the nodes have to have, Σ_γ c_γ x_γ^m, so that the kernel has those of a Dirac function.
///
/// They are m! times the coefficients of 1/M(s), M(s) = (sinh(s/2) / (s/2))^(P+1) being the generating function of ψ's
/// moments.
fn moments(degree: usize) -> Vec<Exact> {
    let length = 2 * degree + 1;
    let mut sinh = vec![Exact::zero(); length];
    let mut term = Exact::one();
    for j in 0..=degree {
        sinh[2 * j] = term;
        term /= whole(4 * (2 * j + 2) * (2 * j + 3));
    }
    let mut power = vec![Exact::one()];
    for _ in 0..=degree {
        power = times(&power, &sinh);
        power.truncate(length);
    }
    let mut inverse = vec![Exact::one()];
    for m in 1..length {
        let sum: Exact = (1..=m).map(|j| power[j] * inverse[m - j]).sum();
        inverse.push(-sum);
    }
    let mut factorial = Exact::one();
    for (m, value) in inverse.iter_mut().enumerate() {
        factorial *= whole(m.max(1));
        *value *= factorial;
    }
    inverse
}

/// The polynomial of degree 2P that is 1 at node γ − P and 0 at the others.
fn lagrange(degree: usize, node: usize) -> Polynomial {
    let place = |n: usize| whole(n) - whole(degree);
    let others = (0..=2 * degree).filter(|other| *other != node);
    others.fold(vec![Exact::one()], |product, other| {
        let scale = (place(node) - place(other)).recip();
        times(&product, &[-place(other) * scale, scale])
    })
}

/// The weight of a node whose Lagrange polynomial is ℓ, if the nodes are shifted by λ: the functional of `moments`
/// applied to ℓ(t − λ), as a polynomial in λ.
fn coefficient(lagrange: &[Exact], moments: &[Exact]) -> Polynomial {
    let mut sum = vec![Exact::zero(); lagrange.len()];
    for (k, l) in lagrange.iter().enumerate() {
        let mut binomial = Exact::one();
        for power in 0..=k {
            let sign = if power % 2 == 0 { Exact::one() } else { -Exact::one() };
            sum[power] += sign * binomial * l * moments[k - power];
            binomial = binomial * whole(k - power) / whole(power + 1);
        }
    }
    sum
}

/// The pieces of the B-spline of degree P, by the recursion of Cox and de Boor on whole knots.
fn b_spline(degree: usize) -> Vec<Polynomial> {
    let mut pieces = vec![vec![Exact::one()]];
    for order in 2..=degree + 1 {
        let scale = whole(order - 1).recip();
        let up = |j: usize| vec![whole(j) * scale, scale];
        let down = |j: usize| vec![whole(order - j) * scale, -scale];
        let mut next = vec![vec![Exact::zero(); order]; order];
        for (j, piece) in next.iter_mut().enumerate() {
            let here = pieces.get(j).map(|p| times(&up(j), p));
            let before = j.checked_sub(1).map(|b| times(&down(j), &pieces[b]));
            for part in here.into_iter().chain(before) {
                piece.iter_mut().zip(part).for_each(|(sum, c)| *sum += c);
            }
        }
        pieces = next;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ (t + offset)^m over [0, 1] of a polynomial in t.
    fn moment(piece: &[Exact], offset: Exact, m: usize) -> Exact {
        let shifted = (0..m).fold(vec![Exact::one()], |p, _| times(&p, &[offset, Exact::one()]));
        times(piece, &shifted).iter().enumerate().map(|(k, c)| c / whole(k + 1)).sum()
    }

    fn total_moment(kernel: &Kernel, m: usize) -> Exact {
        let left = -whole(kernel.cells()) / whole(2);
        let pieces = kernel.exact_pieces();
        pieces.iter().enumerate().map(|(cell, piece)| moment(piece, left + whole(cell), m)).sum()
    }

    #[test]
    fn coefficients_of_the_linear_kernel_are_the_published_ones() {
        let c = Kernel::new(1).coefficients();
        assert_eq!(c, [Exact::new(-1, 12), Exact::new(7, 6), Exact::new(-1, 12)]);
        let c = Kernel::new(2).coefficients();
        let published = [37, -388, 2622, -388, 37].map(|n| Exact::new(n, 1920));
        assert_eq!(c, published);
    }

    #[test]
    fn moments_vanish_up_to_twice_the_degree_and_the_next_is_known() {
        let next = [Exact::new(-4, 15), Exact::new(3229, 1344), Exact::new(-1916, 45)];
        for degree in 1..=MAX_DEGREE {
            let kernel = Kernel::new(degree);
            assert_eq!(total_moment(&kernel, 0), Exact::one());
            (1..=2 * degree + 1).for_each(|m| assert_eq!(total_moment(&kernel, m), Exact::zero(), "P {degree}, m {m}"));
            assert_eq!(total_moment(&kernel, 2 * degree + 2), next[degree - 1], "P {degree}");
        }
    }

    #[test]
    fn pieces_meet_smoothly() {
        for degree in 1..=MAX_DEGREE {
            let pieces = Kernel::new(degree).exact_pieces();
            let value = |piece: &[Exact], at_end: bool, derivative: usize| -> Exact {
                let mut p = piece.to_vec();
                for _ in 0..derivative {
                    p = p.iter().enumerate().skip(1).map(|(k, c)| c * whole(k)).collect();
                }
                if at_end { p.iter().sum() } else { p[0] }
            };
            let ends = [vec![Exact::zero(); degree + 1]];
            let padded: Vec<_> = ends.iter().chain(&pieces).chain(&ends).collect();
            for (pair, derivative) in padded.windows(2).flat_map(|pair| (0..degree).map(move |d| (pair, d))) {
                assert_eq!(value(pair[0], true, derivative), value(pair[1], false, derivative), "P {degree}");
            }
        }
    }

    #[test]
    fn shifted_kernels_keep_their_moments_about_the_point() {
        check_shifted::<2, 4>();
        check_shifted::<3, 7>();
        check_shifted::<4, 10>();
    }

    fn check_shifted<const N: usize, const M: usize>() {
        let kernel = Kernel::new(N - 1);
        for shift in [-0.5 * M as f64, -1.25, 0.0, 0.125, 2.0] {
            let pieces = kernel.shifted_pieces::<N, M>(shift);
            for m in 0..=2 * (N - 1) {
                let left = |cell: usize| cell as f64 - 0.5 * M as f64 + shift;
                let moment: f64 = (pieces.iter().enumerate())
                    .map(|(cell, p)| {
                        gauss(|s| (s + left(cell)).powi(m as i32) * p.iter().rev().fold(0.0, |v, c| v * s + c))
                    })
                    .sum();
                let expected = if m == 0 { 1.0 } else { 0.0 };
                let scale = (0.5 * M as f64 + shift.abs()).powi(m as i32) * 1e-12;
                assert!((moment - expected).abs() < scale.max(1e-12), "P {}, shift {shift}, m {m}: {moment}", N - 1);
            }
        }
    }

    /// ∫ over [0, 1] by six points of Gauss.
    fn gauss(f: impl Fn(f64) -> f64) -> f64 {
        let (nodes, weights) = crate::quadrature::gauss_jacobi(6, 0);
        nodes.iter().zip(&weights).map(|(x, w)| w * f(*x)).sum()
    }

    #[test]
    fn the_symbol_is_one_without_a_stencil_and_the_transform_otherwise() {
        for degree in 1..=MAX_DEGREE {
            let kernel = Kernel::new(degree);
            assert!((kernel.symbol(0.0) - 1.0).abs() < 1e-15);
            let h = 0.125;
            let pieces = kernel.exact_pieces();
            let left = |cell: usize| cell as f64 - 0.5 * kernel.cells() as f64;
            let transform: f64 = (pieces.iter().enumerate())
                .map(|(cell, p)| gauss(|s| horner(p, s) * (std::f64::consts::TAU * h * (s + left(cell))).cos()))
                .sum();
            assert!((transform - kernel.symbol(h)).abs() < 1e-13, "P {degree}: {transform}");
        }
    }
}
