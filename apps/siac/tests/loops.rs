//! The filter as loops of op2, against plain loops.

use op2::{Backend, Config, Layout, Op2, Strategy};
use siac::loops;
use siac::mesh::{Boundary, Kind, longest_edge};
use siac::projection::Solution;
use siac::quadrature::points_of;
use siac::reference::{Method, Outcome, filtered};
use siac::stencil::Stencils;

/// Both methods on every executor leave the values of the plain loops, to rounding, and meet the same pairs.
fn agrees<const N: usize, const M: usize, const D: usize, const Q: usize>(
    kind: Kind,
    triangles: usize,
    boundary: Boundary,
    scale: f64,
) {
    let corners = kind.mesh(triangles, 3).unwrap().corners();
    let h = scale * longest_edge(&corners);
    let solution = Solution::projected(&corners, D - 1, |x, y| (3.0 * x).sin() * (2.0 * y - x).exp());
    let stencils = Stencils::<N, M>::new(&points_of(&corners, 3), h, boundary).unwrap();
    let expected = filtered::<N, M, D, Q>(Method::PerPoint, &corners, &solution, &stencils);
    let threads = |n| Config::default().backend(Backend::Threads(n));
    for method in [Method::PerPoint, Method::PerElement] {
        let run = |config: Config| -> Outcome {
            let mut op = Op2::with(config).unwrap();
            loops::filtered::<N, M, D, Q>(&mut op, method, &corners, &solution, &stencils).unwrap()
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
    let corners = Kind::Low.mesh(4000, 1).unwrap().corners();
    let solution = Solution::projected(&corners, 1, |x, _| x);
    let stencils = Stencils::<2, 4>::new(&points_of(&corners, 3), longest_edge(&corners), Boundary::Periodic).unwrap();
    let [by_point, by_element] = [Method::PerPoint, Method::PerElement].map(|method| {
        let mut op = Op2::with(Config::default().backend(Backend::Threads(2))).unwrap();
        loops::filtered::<2, 4, 2, 4>(&mut op, method, &corners, &solution, &stencils).unwrap().tests
    });
    let ratio = by_point as f64 / by_element as f64;
    assert!((1.86..1.905).contains(&ratio), "{ratio}");
}

#[test]
fn linear_on_high_variance() {
    agrees::<2, 4, 2, 4>(Kind::High, 200, Boundary::Periodic, 1.0);
}

#[test]
fn quadratic_on_low_variance() {
    agrees::<3, 7, 3, 12>(Kind::Low, 150, Boundary::Periodic, 1.0);
}

#[test]
fn a_stencil_wider_than_the_domain() {
    agrees::<2, 4, 2, 4>(Kind::Structured, 18, Boundary::Periodic, 1.0);
}

#[test]
fn one_sided_near_borders() {
    agrees::<2, 4, 2, 4>(Kind::Low, 200, Boundary::OneSided, 0.8);
}
