//! Quadrature on the reference triangle (0,0) (1,0) (0,1), and the points at which the filter is evaluated.
//!
//! A rule is a list of (ξ, η, weight); the weights add up to 1, so that an integral is the triangle's area times the
//! sum.

/// A point of a rule: ξ, η and the weight.
pub type Node = [f64; 3];

/// A rule that is exact for polynomials of total degree `degree`, with all points inside and positive weights.
///
/// Degrees for which it is at hand have a symmetric rule, the others a collapsed product of Gauss rules.
pub fn rule(degree: usize) -> Vec<Node> {
    match degree {
        0 | 1 => symmetric(&[(1.0, Orbit::Centre)]),
        2 => symmetric(&[(1.0 / 3.0, Orbit::Three(1.0 / 6.0))]),
        4 => symmetric(&DEGREE_4),
        5 => symmetric(&degree_5()),
        6 => symmetric(&DEGREE_6),
        8 | 9 => symmetric(&DEGREE_9),
        _ => collapsed(degree / 2 + 1),
    }
}

/// A rule as an array.
///
/// # Panics
/// If the rule of this degree does not have `Q` points.
pub fn table<const Q: usize>(degree: usize) -> [Node; Q] {
    let nodes = rule(degree);
    let found = nodes.len();
    nodes.try_into().unwrap_or_else(|_| panic!("the rule of degree {degree} has {found} points, not {Q}"))
}

/// The evaluation points of a triangle, as ξ, η: those of the symmetric rule of degree 2 with three points, or of
/// degree 4 with six.
///
/// # Panics
/// If `points` is neither 3 nor 6.
pub fn evaluation_points(points: usize) -> Vec<[f64; 2]> {
    assert!(matches!(points, 3 | 6), "{points} evaluation points a triangle, expected 3 or 6");
    rule(if points == 3 { 2 } else { 4 }).into_iter().map(|[xi, eta, _]| [xi, eta]).collect()
}

/// The evaluation points of all triangles, one triangle after the other.
///
/// # Panics
/// As [`evaluation_points`].
pub fn points_of(corners: &[[[f64; 2]; 3]], points: usize) -> Vec<[f64; 2]> {
    let reference = evaluation_points(points);
    corners.iter().flat_map(|triangle| reference.iter().map(|at| place(triangle, *at))).collect()
}

/// The place of a point of the reference triangle in another.
pub fn place(corners: &[[f64; 2]; 3], [xi, eta]: [f64; 2]) -> [f64; 2] {
    let along = |k: usize| corners[0][k] + xi * (corners[1][k] - corners[0][k]) + eta * (corners[2][k] - corners[0][k]);
    [along(0), along(1)]
}

/// Points that symmetries of the triangle carry into each other, in barycentric coordinates.
#[derive(Clone, Copy)]
enum Orbit {
    /// (1/3, 1/3, 1/3).
    Centre,
    /// (a, a, 1 − 2a).
    Three(f64),
    /// (a, b, 1 − a − b).
    Six(f64, f64),
}

/// The rules of D. A. Dunavant (International Journal for Numerical Methods in Engineering 21, 1985), whose equations
/// were solved again to 20 digits.
const DEGREE_4: [(f64, Orbit); 2] = [
    (0.223_381_589_678_011_47, Orbit::Three(0.445_948_490_915_964_9)),
    (0.109_951_743_655_321_87, Orbit::Three(0.091_576_213_509_770_74)),
];
const DEGREE_6: [(f64, Orbit); 3] = [
    (0.116_786_275_726_379_37, Orbit::Three(0.249_286_745_170_910_42)),
    (0.050_844_906_370_206_82, Orbit::Three(0.063_089_014_491_502_23)),
    (0.082_851_075_618_373_58, Orbit::Six(0.053_145_049_844_816_95, 0.310_352_451_033_784_4)),
];
const DEGREE_9: [(f64, Orbit); 6] = [
    (0.097_135_796_282_798_84, Orbit::Centre),
    (0.031_334_700_227_139_07, Orbit::Three(0.489_682_519_198_737_6)),
    (0.077_827_541_004_774_28, Orbit::Three(0.437_089_591_492_936_6)),
    (0.079_647_738_927_210_25, Orbit::Three(0.188_203_535_619_032_73)),
    (0.025_577_675_658_698_03, Orbit::Three(0.044_729_513_394_452_71)),
    (0.043_283_539_377_289_38, Orbit::Six(0.036_838_412_054_736_284, 0.221_962_989_160_765_7)),
];

/// Radon's rule of seven points.
fn degree_5() -> [(f64, Orbit); 3] {
    let root = 15_f64.sqrt();
    [
        (9.0 / 40.0, Orbit::Centre),
        ((155.0 + root) / 1200.0, Orbit::Three((6.0 + root) / 21.0)),
        ((155.0 - root) / 1200.0, Orbit::Three((6.0 - root) / 21.0)),
    ]
}

fn symmetric(orbits: &[(f64, Orbit)]) -> Vec<Node> {
    let nodes = |&(weight, orbit): &(f64, Orbit)| -> Vec<Node> {
        match orbit {
            Orbit::Centre => vec![[1.0 / 3.0, 1.0 / 3.0, weight]],
            Orbit::Three(a) => {
                let rest = 1.0 - 2.0 * a;
                vec![[a, a, weight], [rest, a, weight], [a, rest, weight]]
            }
            Orbit::Six(a, b) => {
                let c = 1.0 - a - b;
                [[a, b], [b, a], [a, c], [c, a], [b, c], [c, b]].map(|[xi, eta]| [xi, eta, weight]).to_vec()
            }
        }
    };
    orbits.iter().flat_map(nodes).collect()
}

/// The product of `points` points of Gauss in one direction with as many of Gauss–Jacobi in the other: exact for total
/// degree 2 `points` − 1.
fn collapsed(points: usize) -> Vec<Node> {
    let (along, along_weights) = gauss_jacobi(points, 0);
    let (across, across_weights) = gauss_jacobi(points, 1);
    let nodes = across.iter().zip(&across_weights).flat_map(|(&xi, &w)| {
        let row = along.iter().zip(&along_weights);
        row.map(move |(&t, &v)| [xi, t * (1.0 - xi), 2.0 * w * v])
    });
    nodes.collect()
}

/// Gauss's rule of `points` points for ∫ (1 − x)^α f(x) over [0, 1], α 0 or 1: the points, ascending, and their
/// weights.
pub fn gauss_jacobi(points: usize, alpha: u8) -> (Vec<f64>, Vec<f64>) {
    let alpha = f64::from(alpha);
    let mut roots: Vec<f64> = Vec::with_capacity(points);
    for k in 0..points {
        // Chebyshev's points start Newton's iteration; roots that are known are divided out.
        let mut x = -((k as f64 + 0.5) * std::f64::consts::PI / points as f64).cos();
        for _ in 0..100 {
            let (value, slope) = jacobi(points, alpha, x);
            let known: f64 = roots.iter().map(|root| 1.0 / (x - root)).sum();
            let step = value / (slope - known * value);
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        roots.push(x);
    }
    roots.sort_by(f64::total_cmp);
    let weight = |&x: &f64| 1.0 / ((1.0 - x * x) * jacobi(points, alpha, x).1.powi(2));
    let weights = roots.iter().map(weight).collect();
    (roots.iter().map(|x| 0.5 * (1.0 + x)).collect(), weights)
}

/// The Jacobi polynomial of the exponents (α, 0) and its derivative at x.
fn jacobi(degree: usize, alpha: f64, x: f64) -> (f64, f64) {
    let (mut before, mut value) = ((1.0, 0.0), (1.0 + alpha + 0.5 * (alpha + 2.0) * (x - 1.0), 0.5 * (alpha + 2.0)));
    if degree == 0 {
        return before;
    }
    for k in 2..=degree {
        let n = k as f64;
        let m = 2.0 * n + alpha;
        let left = 2.0 * n * (n + alpha) * (m - 2.0);
        let (slope, constant) = ((m - 1.0) * m * (m - 2.0), (m - 1.0) * alpha * alpha);
        let back = 2.0 * (n + alpha - 1.0) * (n - 1.0) * m;
        let next = (
            ((slope * x + constant) * value.0 - back * before.0) / left,
            ((slope * x + constant) * value.1 + slope * value.0 - back * before.1) / left,
        );
        (before, value) = (value, next);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice a! b! / (a + b + 2)!: the mean of ξᵃηᵇ over the triangle.
    fn mean(a: usize, b: usize) -> f64 {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        2.0 * factorial(a) * factorial(b) / factorial(a + b + 2)
    }

    #[test]
    fn rules_are_exact_up_to_their_degree_and_not_beyond() {
        for degree in 0..=20 {
            let nodes = rule(degree);
            let error = |a: usize, b: usize| {
                let sum: f64 = nodes.iter().map(|[x, y, w]| w * x.powi(a as i32) * y.powi(b as i32)).sum();
                (sum - mean(a, b)).abs()
            };
            let exponents = (0..=degree).flat_map(|a| (0..=degree - a).map(move |b| (a, b)));
            let tolerance = if degree < 10 { 5e-16 } else { 2e-15 };
            exponents.for_each(|(a, b)| assert!(error(a, b) < tolerance, "{degree}: {a} {b} {}", error(a, b)));
            let inside = nodes.iter().all(|[x, y, w]| *x > 0.0 && *y > 0.0 && x + y < 1.0 && *w > 0.0);
            assert!(inside, "{degree}");
            // Products of even degree are those of the next one.
            let beyond = degree + 1 + usize::from(matches!(degree, 0 | 8 | 10 | 12));
            let exceeds = degree > 12 || (0..=beyond).any(|a| error(a, beyond - a) > 1e-12);
            assert!(exceeds, "{degree}: a higher degree than stated");
        }
    }

    #[test]
    fn rules_of_the_filters_have_few_points() {
        let points: Vec<usize> = [3, 6, 9].into_iter().map(|degree| rule(degree).len()).collect();
        assert_eq!(points, [4, 12, 19]);
    }

    #[test]
    fn evaluation_points_lie_in_their_triangle() {
        let corners = [[[1.0, 1.0], [3.0, 1.0], [1.0, 4.0]]];
        assert_eq!(points_of(&corners, 6).len(), 6);
        let points = points_of(&corners, 3);
        let centre = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / 3.0);
        assert!((centre[0] - 5.0 / 3.0).abs() < 1e-15 && (centre[1] - 2.0).abs() < 1e-15, "{centre:?}");
        assert!((points[1][0] - (1.0 + 2.0 * 2.0 / 3.0)).abs() < 1e-15, "{points:?}");
    }
}
