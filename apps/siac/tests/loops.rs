//! The filter as loops of op2, against plain loops.

use op2::{Backend, Config, Layout, Op2, Strategy};
use siac::filter::{by_loops, by_plain_loops};
use siac::mesh::{Boundary, Kind, longest_edge};
use siac::projection::Solution;
use siac::quadrature::points_of;
use siac::reference::{Method, Outcome};
use siac::task::Task;

/// A task with a function that is not periodic.
fn task(kind: Kind, triangles: usize, seed: u64, degree: usize, boundary: Boundary, scale: f64) -> Task {
    let mesh = kind.mesh(triangles, seed).unwrap();
    let corners = mesh.corners();
    Task {
        mesh,
        degree,
        solution: Solution::projected(&corners, degree, |x, y| (3.0 * x).sin() * (2.0 * y - x).exp()),
        points: points_of(&corners, 3),
        per_triangle: Some(3),
        h: scale * longest_edge(&corners),
        boundary,
        function: None,
        corners,
    }
}

/// Both methods on every executor leave the values of the plain loops, to rounding, and meet the same pairs.
///
/// By the library's functions for any degree: loops of a degree, called here, would be compiled again.
fn agrees(kind: Kind, triangles: usize, degree: usize, boundary: Boundary, scale: f64) {
    let task = task(kind, triangles, 3, degree, boundary, scale);
    let expected = by_plain_loops(Method::PerPoint, &task).unwrap();
    let threads = |n| Config::default().backend(Backend::Threads(n));
    for method in [Method::PerPoint, Method::PerElement] {
        let run = |config: Config| -> Outcome {
            let mut op = Op2::with(config).unwrap();
            by_loops(&mut op, method, &task).unwrap()
        };
        let agrees = |found: &Outcome, what: &str| {
            assert_eq!(found.hits, expected.hits, "{method:?}, {what}");
            assert!(found.tests >= found.hits);
            for (found, expected) in found.values.iter().zip(&expected.values) {
                assert!(
                    (found - expected).abs() < 1e-13 * expected.abs().max(1.0),
                    "{method:?}, {what}: {found} {expected}"
                );
            }
        };
        let first = run(threads(1));
        agrees(&first, "1 thread");
        for n in [2, 3] {
            let bits = |outcome: &Outcome| outcome.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&run(threads(n))), bits(&first), "{method:?}, {n} threads");
        }
        agrees(&run(Config::default().backend(Backend::Seq).layout(Layout::Soa)), "seq, SoA");
        agrees(&run(threads(2).strategy(Strategy::tiles(20)).shuffled(5)), "tiles, shuffled");
        if let Some(device) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) {
            let device = Config::default().backend(device);
            agrees(&run(device.clone()), "device");
            agrees(&run(device.strategy(Strategy::atomics(64)).layout(Layout::Soa)), "device, atomics");
        }
    }
}

/// The paper's table 1 has 1.86 to 1.90 times as many tests per point as per element.
#[test]
fn tests_are_as_many_as_published() {
    let task = task(Kind::Low, 4000, 1, 1, Boundary::Periodic, 1.0);
    let [by_point, by_element] = [Method::PerPoint, Method::PerElement].map(|method| {
        let mut op = Op2::with(Config::default().backend(Backend::Threads(2))).unwrap();
        by_loops(&mut op, method, &task).unwrap().tests
    });
    let ratio = by_point as f64 / by_element as f64;
    assert!((1.86..1.905).contains(&ratio), "{ratio}");
}

#[test]
fn linear_on_high_variance() {
    agrees(Kind::High, 200, 1, Boundary::Periodic, 1.0);
}

#[test]
fn quadratic_on_low_variance() {
    agrees(Kind::Low, 150, 2, Boundary::Periodic, 1.0);
}

#[test]
fn a_stencil_wider_than_the_domain() {
    agrees(Kind::Structured, 18, 1, Boundary::Periodic, 1.0);
}

#[test]
fn one_sided_near_borders() {
    agrees(Kind::Low, 200, 1, Boundary::OneSided, 0.8);
}
