//! The functions of `kernels` in a loop of op2, on every kind of executor.

use op2::prelude::*;
use op2_test_support::device;
use siac::kernels::{contribution, in_stencil};
use siac::mesh::{Boundary, Kind, longest_edge};
use siac::projection::{Corners, Solution};
use siac::quadrature::{points_of, table};
use siac::reference::{Method, filtered};
use siac::stencil::Stencils;

op2::sets! { Pairs, Triangles, Points }

#[op2::kernel]
fn pair<const N: usize, const M: usize, const D: usize, const Q: usize>(
    corners: &[[f64; 2]; 3],
    u: &[[f64; D]; D],
    centre: &[f64; 2],
    shift: &[f64; 2],
    inverse_h: &f64,
    kernel: &[[f64; N]; M],
    rule: &[[f64; 3]; Q],
    value: &mut f64,
    hits: &mut u64,
) {
    let placed = in_stencil(corners, shift, centre, *inverse_h, M);
    let (sum, hit) = contribution(&placed, u, kernel, kernel, rule);
    *value += sum;
    if hit {
        *hits += 1;
    }
}

/// Every triangle in its nearest nine images with every point: no less than a grid proposes, while the stencil is
/// narrower than the domain.
struct Task<const N: usize, const M: usize> {
    corners: Vec<Corners>,
    solution: Solution,
    stencils: Stencils<N, M>,
    pairs: Vec<[u32; 2]>,
    shifts: Vec<[f64; 2]>,
}

impl<const N: usize, const M: usize> Task<N, M> {
    fn new(triangles: usize, degree: usize) -> Self {
        let corners = Kind::High.mesh(triangles, 5).unwrap().corners();
        let h = longest_edge(&corners);
        let points: Vec<[f64; 2]> = points_of(&corners, 3).into_iter().step_by(29).collect();
        assert!(M as f64 * h < 2.0);
        let solution = Solution::projected(&corners, degree, |x, y| (x - y).exp());
        let stencils = Stencils::new(&points, h, Boundary::Periodic).unwrap();
        let (mut pairs, mut shifts) = (Vec::new(), Vec::new());
        for (point, triangle) in (0..points.len()).flat_map(|p| (0..corners.len()).map(move |t| (p, t))) {
            for shift in (0..9).map(|n| [f64::from(n % 3 - 1), f64::from(n / 3 - 1)]) {
                pairs.push([point as u32, triangle as u32]);
                shifts.push(shift);
            }
        }
        Self { corners, solution, stencils, pairs, shifts }
    }

    fn run<const D: usize, const Q: usize>(&self, config: Config) -> op2::Result<(Vec<f64>, u64)> {
        let to = |k: usize| self.pairs.iter().map(|pair| [pair[k]]).collect::<Vec<_>>();
        let mut op = Op2::with(config)?;
        let pairs = op.decl_set::<Pairs>("pairs", self.pairs.len())?;
        let points = op.decl_set::<Points>("points", self.stencils.centres.len())?;
        let triangles = op.decl_set::<Triangles>("triangles", self.corners.len())?;
        let point = op.decl_map("point", pairs, points, &to(0))?;
        let triangle = op.decl_map("triangle", pairs, triangles, &to(1))?;
        let corners = op.decl_dat("corners", triangles, &self.corners)?;
        let u = op.decl_dat("u", triangles, &self.solution.framed::<D>(&self.corners, self.stencils.h))?;
        let centre = op.decl_dat("centre", points, &self.stencils.centres)?;
        let shift = op.decl_dat("shift", pairs, &self.shifts)?;
        let value = op.decl_dat_filled("value", points, 0.0)?;
        let inverse_h = op.decl_global("inverse h", 1.0 / self.stencils.h);
        let kernel = op.decl_global("kernel", self.stencils.tables[0]);
        let rule = op.decl_global("rule", table::<Q>(2 * (N - 1) + D - 1));
        let hits = op.decl_global("hits", 0_u64);
        op_par_loop!(
            op,
            pair,
            pairs,
            read(corners, triangle[0]),
            read(u, triangle[0]),
            read(centre, point[0]),
            read(shift),
            gbl_read(inverse_h),
            gbl_read(kernel),
            gbl_read(rule),
            inc(value, point[0]),
            gbl_inc(hits)
        )?;
        // The report says so if something is in the way of lanes.
        let report = op.report().to_string();
        assert!(!report.contains("one element at a time: line"), "{report}");
        Ok((op.fetch(value)?, op.get(hits)?))
    }
}

fn agrees<const N: usize, const M: usize, const D: usize, const Q: usize>(triangles: usize) {
    let task = Task::<N, M>::new(triangles, D - 1);
    let expected = filtered::<N, M, D, Q>(Method::PerPoint, &task.corners, &task.solution, &task.stencils);
    let device = device(Backend::Cuda(0), Backend::CudaEmu);
    for backend in [Backend::Seq, Backend::Threads(2)].into_iter().chain(device) {
        let (values, hits) = task.run::<D, Q>(Config::default().backend(backend)).unwrap();
        assert_eq!(hits, expected.hits, "P {} on {backend:?}", N - 1);
        let apart = values.iter().zip(&expected.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-13, "P {} on {backend:?}: {apart:e}", N - 1);
    }
}

#[test]
fn loops_agree_with_the_reference() {
    agrees::<2, 4, 2, 4>(150);
    agrees::<3, 7, 3, 12>(300);
}
