//! Errors on finer meshes, before and after the filter.

use op2_apps::flags::Backend;
use op2_apps::settings::Settings;
use siac::convergence::{Row, row};
use siac::mesh::{Boundary, Kind};
use siac::reference::Method;
use siac::task::{Function, Made};

fn errors(kind: Kind, triangles: usize, degree: usize, function: Function) -> Row {
    let made = Made {
        kind,
        triangles,
        seed: 1,
        degree,
        solution_degree: degree,
        points: 3,
        h: None,
        boundary: Boundary::Periodic,
        function,
    };
    let settings = Settings { backend: Backend::Threads, threads: 2, ..Settings::default() };
    row(&made, triangles, &settings, Method::PerElement).unwrap()
}

/// Errors converge at 2P + 1 or better where h is the period of the mesh.
fn converges(degree: usize, squares: usize, function: Function) {
    let at = |n: usize| errors(Kind::Structured, 2 * n * n, degree, function);
    let (coarse, fine) = (at(squares), at(2 * squares));
    assert!((fine.h * (2 * squares) as f64 - 1.0).abs() < 1e-14, "{}", fine.h);
    let [before, after] = fine.orders(&coarse);
    assert!((before - (degree + 1) as f64).abs() < 0.3, "P = {degree}, {function}: order {before} before");
    assert!(after > (2 * degree + 1) as f64, "P = {degree}, {function}: order {after} after");
}

#[test]
fn linear_polynomials_converge_at_3() {
    converges(1, 12, Function::Sines);
    converges(1, 16, Function::Exp);
}

#[test]
fn quadratic_polynomials_converge_at_5() {
    converges(2, 8, Function::Sines);
}

#[test]
fn cubic_polynomials_converge_at_7() {
    converges(3, 7, Function::Sines);
}

fn gains(kind: Kind, triangles: usize, degree: usize) {
    let Row { l2: [before, after], greatest, .. } = errors(kind, triangles, degree, Function::Sines);
    assert!(after < before, "P = {degree}, {kind}, {triangles} triangles: {before:e} before, {after:e} after");
    assert!(greatest[1] < greatest[0], "P = {degree}, {kind}, {triangles} triangles: {greatest:?}");
}

#[test]
fn errors_fall_on_irregular_meshes() {
    gains(Kind::Low, 1000, 1);
    gains(Kind::High, 4000, 1);
    gains(Kind::Low, 4000, 2);
}

/// The slowest: high variance has a wide kernel over many small triangles.
#[test]
fn errors_fall_on_meshes_of_high_variance_for_quadratic_polynomials() {
    gains(Kind::High, 4000, 2);
}
