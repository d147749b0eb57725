//! The flux out of one node enters the other: inner fluxes add up to zero, and all fluxes to that through the boundary.

use hydra::physics::kind::{OUTFLOW, SLIP};
use hydra::physics::{Stream, UNKNOWNS, pressure, state};
use hydra::solver::{Flow, Nodes, Settings};
use op2::{Dat, Float};

use crate::images::{Cube, DEFORMATIONS, SHAPES};

/// A flow that changes in every direction.
fn uneven(x: &[f64; 3]) -> [f64; UNKNOWNS] {
    let wave = |a: f64, b: f64, c: f64| (a * x[0] + b * x[1] + c * x[2]).sin();
    let velocity = [0.4 + 0.2 * wave(3.0, 1.0, 2.0), 0.3 * wave(1.0, 4.0, 1.0), 0.3 * wave(2.0, 2.0, 5.0)];
    state(1.0 + 0.2 * wave(2.0, 3.0, 1.0), velocity, 1.0 + 0.2 * wave(4.0, 1.0, 3.0), 0.1 + 0.05 * wave(1.0, 1.0, 1.0))
}

fn fetched<F: Float>(flow: &Flow<F>, sums: Dat<Nodes, [F; UNKNOWNS]>) -> Vec<[f64; UNKNOWNS]> {
    flow.op.fetch(sums).unwrap().into_iter().map(|sums| sums.map(F::to_f64)).collect()
}

fn sum(values: &[[f64; UNKNOWNS]]) -> [f64; UNKNOWNS] {
    std::array::from_fn(|n| values.iter().map(|v| v[n]).sum())
}

fn check(found: [f64; UNKNOWNS], expected: [f64; UNKNOWNS], rounding: f64, what: &str) {
    for n in 0..UNKNOWNS {
        assert!((found[n] - expected[n]).abs() < rounding, "{what}, unknown {n}: {} {}", found[n], expected[n]);
    }
}

#[test]
fn fluxes_add_up_to_what_crosses_the_boundary() {
    check_in::<f64>(1e-13);
}

#[test]
fn fluxes_add_up_in_single_precision() {
    check_in::<f32>(1e-6);
}

fn check_in<F: Float>(rounding: f64) {
    let kinds = [[SLIP, OUTFLOW], [SLIP; 2], [SLIP; 2]];
    for shape in SHAPES {
        for deformation in DEFORMATIONS {
            let what = format!("{shape:?} {deformation:?}");
            let mesh = Cube { deformation, kinds }.mesh(shape, [5, 4, 3]);
            let settings = Settings { case: Stream { reynolds: 10.0, ..Stream::default() }, ..Settings::default() };
            let mut flow = Flow::<F>::new(&mesh, &settings).unwrap();
            let q: Vec<_> = mesh.x.iter().map(uneven).collect();
            let rounded: Vec<_> = q.iter().map(|q| q.map(F::lit)).collect();
            flow.op.set_data(flow.q, &rounded).unwrap();
            flow.prepare().unwrap();
            flow.gradients().unwrap();
            flow.vflux().unwrap();
            flow.iflux().unwrap();
            for sums in [flow.vis, flow.res].map(|sums| fetched(&flow, sums)) {
                assert!(sums.iter().any(|sums| sums.iter().all(|sum| sum.abs() > 1e-9) || sums[1].abs() > 1e-6));
                check(sum(&sums), [0.0; UNKNOWNS], rounding, &what);
            }
            flow.boundary().unwrap();

            let mut crossing = [0.0; UNKNOWNS];
            for part in 0..mesh.part_node.len() {
                let (q, normal) = (q[mesh.part_node[part][0] as usize], mesh.part_normals[part]);
                let open = mesh.part_kind[part] == OUTFLOW;
                let through = (0..3).map(|d| q[d + 1] * normal[d]).sum::<f64>();
                let area = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
                // A wall meets the pressure, and the momentum towards it times the speed of sound.
                let met = pressure(q) + (1.4 * pressure(q) / q[0]).sqrt() * through / area;
                let p = if open { 1.0 / 1.4 } else { met };
                (0..3).for_each(|d| crossing[d + 1] += p * normal[d]);
                if open {
                    let volume = through / q[0];
                    // With the outer pressure the energy is another one.
                    let energy = q[4] + (p - pressure(q)) / 0.4;
                    let carried = [q[0], q[1], q[2], q[3], energy + p, q[5]];
                    (0..UNKNOWNS).for_each(|n| crossing[n] += volume * carried[n]);
                }
            }
            check(sum(&fetched(&flow, flow.res)), crossing, rounding, &what);
        }
    }
}
