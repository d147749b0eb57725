//! The filter against functions whose filtered values are known.

use siac::mesh::{Boundary, Kind, longest_edge};
use siac::projection::{Corners, Errors, Solution};
use siac::quadrature::points_of;
use siac::reference::{Method, Outcome, filtered};
use siac::spline::Kernel;
use siac::stencil::Stencils;
use std::f64::consts::TAU;

const METHODS: [Method; 2] = [Method::PerPoint, Method::PerElement];

/// x^(2P+2) becomes x^(2P+2) + m h^(2P+2), for P = 1, 2, 3.
const NEXT_MOMENT: [f64; 3] = [-4.0 / 15.0, 3229.0 / 1344.0, -1916.0 / 45.0];

/// The filtered values of the polynomials of degree D − 1 nearest to a function.
fn filter<const N: usize, const M: usize, const D: usize, const Q: usize>(
    corners: &[Corners],
    points: &[[f64; 2]],
    h: f64,
    method: Method,
    f: impl Fn(f64, f64) -> f64,
) -> Outcome {
    let solution = Solution::projected(corners, D - 1, f);
    let stencils = Stencils::<N, M>::new(points, h, Boundary::Periodic).unwrap();
    filtered::<N, M, D, Q>(method, corners, &solution, &stencils)
}

/// Points whose stencil of a width lies in the square.
fn away_from_wrap_around(width: f64) -> Vec<[f64; 2]> {
    let place = |k: f64| 0.5 * width + (1.0 - width) * k;
    [[0.0, 0.0], [0.3, 0.71], [1.0, 1.0]].map(|[x, y]| [place(x), place(y)]).to_vec()
}

/// `D` − 1 = 4P + 3 holds xᵃyᵇ for a, b ≤ 2P + 1, and x^(2P+2).
fn polynomials<const N: usize, const M: usize, const D: usize, const Q: usize>() {
    let p = N - 1;
    let h = 0.7 / M as f64;
    let corners = Kind::Low.mesh(50, 4).unwrap().corners();
    let points = away_from_wrap_around(M as f64 * h);
    for (a, b) in [(2 * p + 1, 0), (0, 2 * p + 1), (1, 2), (2 * p, 2 * p + 1), (2 * p + 1, 2 * p + 1), (2 * p + 2, 0)] {
        let f = |x: f64, y: f64| x.powi(a as i32) * y.powi(b as i32);
        let more = if a == 2 * p + 2 { NEXT_MOMENT[p - 1] * h.powi(a as i32) } else { 0.0 };
        for method in METHODS {
            let found = filter::<N, M, D, Q>(&corners, &points, h, method, f).values;
            for (found, [x, y]) in found.iter().zip(&points) {
                let error = (found - (f(*x, *y) + more)).abs();
                assert!(error < 1e-13, "P {p}, x^{a} y^{b} at ({x}, {y}), {method:?}: {error:e} off");
            }
        }
    }
}

#[test]
fn polynomials_are_reproduced_with_p_1() {
    polynomials::<2, 4, 8, 19>();
}

#[test]
fn polynomials_are_reproduced_with_p_2() {
    polynomials::<3, 7, 11, 64>();
}

#[test]
fn polynomials_are_reproduced_with_p_3() {
    polynomials::<4, 10, 15, 121>();
}

/// At the points of some triangles, each of which meets its stencil in several images.
fn constants<const N: usize, const M: usize, const D: usize, const Q: usize>() {
    for kind in Kind::ALL {
        let corners = kind.mesh(100, 6).unwrap().corners();
        let points: Vec<_> = points_of(&corners, 3).into_iter().step_by(13).collect();
        for method in METHODS {
            let found = filter::<N, M, D, Q>(&corners, &points, longest_edge(&corners), method, |_, _| 1.0).values;
            let error = found.iter().map(|found| (found - 1.0).abs()).fold(0.0, f64::max);
            assert!(error < 1e-14, "P {}, {kind}, {method:?}: {error:e} off", N - 1);
        }
    }
}

#[test]
fn constants_are_reproduced() {
    constants::<2, 4, 2, 4>();
    constants::<3, 7, 3, 12>();
    constants::<4, 10, 4, 19>();
}

fn wave(x: f64, y: f64) -> f64 {
    (TAU * x).sin() * (TAU * y).sin()
}

/// A stencil wider than the domain meets its triangles in several images.
fn symbol<const N: usize, const M: usize, const D: usize, const Q: usize>(h: f64) {
    let corners = Kind::Low.mesh(250, 2).unwrap().corners();
    let points = [[0.0, 0.0], [0.1, 0.85], [0.25, 0.75], [1.0, 0.3], [0.99, 0.01]];
    let factor = Kernel::new(N - 1).symbol(h).powi(2);
    for method in METHODS {
        let found = filter::<N, M, D, Q>(&corners, &points, h, method, wave).values;
        for (found, [x, y]) in found.iter().zip(&points) {
            let error = (found - factor * wave(*x, *y)).abs();
            assert!(error < 1e-11, "P {}, h {h} at ({x}, {y}), {method:?}: {error:e} off", N - 1);
        }
    }
}

#[test]
fn a_wave_is_multiplied_by_the_symbol() {
    symbol::<2, 4, 10, 36>(0.11);
    symbol::<2, 4, 10, 36>(0.4);
    symbol::<3, 7, 10, 49>(0.1);
    symbol::<4, 10, 10, 64>(0.07);
}

fn methods_agree<const N: usize, const M: usize, const D: usize, const Q: usize>() {
    for kind in Kind::ALL {
        let corners = kind.mesh(400, 5).unwrap().corners();
        let points: Vec<_> = points_of(&corners, 3).into_iter().step_by(4 * N * N - 3).collect();
        let h = longest_edge(&corners);
        let [a, b] = METHODS.map(|method| filter::<N, M, D, Q>(&corners, &points, h, method, wave));
        assert_eq!(a.hits, b.hits, "P {}, {kind}", N - 1);
        assert!(a.tests > b.tests && b.tests > b.hits, "P {}, {kind}: {} {} {}", N - 1, a.tests, b.tests, b.hits);
        let apart = a.values.iter().zip(&b.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-13, "P {}, {kind}: {apart:e}", N - 1);
    }
}

#[test]
fn both_methods_find_the_same() {
    methods_agree::<2, 4, 2, 4>();
    methods_agree::<3, 7, 3, 12>();
    methods_agree::<4, 10, 4, 19>();
}

#[test]
fn the_ratio_of_tests_is_the_published_one() {
    let corners = Kind::Low.mesh(2000, 1).unwrap().corners();
    let points = points_of(&corners, 3);
    let h = longest_edge(&corners);
    let [a, b] = METHODS.map(|method| filter::<2, 4, 1, 3>(&corners, &points, h, method, |_, _| 1.0).tests);
    let ratio = a as f64 / b as f64;
    assert!((1.86..=1.90).contains(&ratio), "{a} tests per point, {b} per element: {ratio}");
}

/// L2 errors before and after at the points of each triangle.
fn errors<const N: usize, const M: usize, const D: usize, const Q: usize>(corners: &[Corners], h: f64) -> [f64; 2] {
    let points = points_of(corners, 6);
    let solution = Solution::projected(corners, D - 1, wave);
    let stencils = Stencils::<N, M>::new(&points, h, Boundary::Periodic).unwrap();
    let after = filtered::<N, M, D, Q>(Method::PerElement, corners, &solution, &stencils).values;
    [solution.errors(corners, wave).l2(), Errors::at_points(corners, 6, &after, wave).l2()]
}

#[test]
fn errors_converge_faster_after_the_filter() {
    // Of the meshes the filter sees no more than the squares, so h is their side.
    let at = |n: usize| Kind::Structured.mesh(2 * n * n, 0).unwrap().corners();
    let order = |coarse: [f64; 2], fine: [f64; 2]| (coarse[1] / fine[1]).log2();
    let linear = [8, 16].map(|n| errors::<2, 4, 2, 4>(&at(n), 1.0 / n as f64));
    let quadratic = [6, 12].map(|n| errors::<3, 7, 3, 12>(&at(n), 1.0 / n as f64));
    assert!(order(linear[0], linear[1]) > 3.0, "{linear:?}");
    assert!(order(quadratic[0], quadratic[1]) > 5.0, "{quadratic:?}");
    for [before, after] in [linear[1], quadratic[1]] {
        assert!(after < before, "{before} {after}");
    }
}

#[test]
fn errors_are_less_after_the_filter_from_1000_triangles_on() {
    let corners = Kind::Low.mesh(1000, 1).unwrap().corners();
    let [before, after] = errors::<2, 4, 2, 4>(&corners, longest_edge(&corners));
    assert!(after < before, "{before} {after}");
}

fn one_sided<const N: usize, const M: usize, const D: usize, const Q: usize>(tolerance: f64) {
    let corners = Kind::Low.mesh(150, 3).unwrap().corners();
    let points = [[0.0, 0.0], [0.02, 0.5], [0.5, 0.99], [1.0, 0.03], [0.45, 0.55]];
    let stencils = Stencils::<N, M>::new(&points, 0.7 / M as f64, Boundary::OneSided).unwrap();
    let highest = 2 * (N - 1);
    for (a, b) in
        [(0, 0), (1, 1), (highest, 0), (1, highest), (highest, highest)].into_iter().filter(|(a, b)| a + b < D)
    {
        let f = |x: f64, y: f64| x.powi(a as i32) * y.powi(b as i32);
        let solution = Solution::projected(&corners, D - 1, f);
        for method in METHODS {
            let found = filtered::<N, M, D, Q>(method, &corners, &solution, &stencils).values;
            for (found, [x, y]) in found.iter().zip(&points) {
                let error = (found - f(*x, *y)).abs();
                assert!(error < tolerance, "P {}, x^{a} y^{b} at ({x}, {y}), {method:?}: {error:e} off", N - 1);
            }
        }
    }
}

#[test]
fn one_sided_kernels_reproduce_polynomials_up_to_the_border() {
    one_sided::<2, 4, 5, 12>(1e-12);
    one_sided::<3, 7, 9, 49>(1e-11);
    one_sided::<4, 10, 8, 49>(1e-9);
}
