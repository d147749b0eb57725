//! The undisturbed stream stays as it is, on every closed mesh.

use hydra::mesh::Mesh;
use hydra::physics::kind::{INFLOW, OUTFLOW, SLIP, STREAM};
use hydra::solver::{Flow, Settings};
use op2::Float;

use crate::data::widened;
use crate::images::{Cube, DEFORMATIONS, Deformation, SHAPES, passage};

#[test]
fn dual_cells_are_closed() {
    for shape in SHAPES {
        for deformation in DEFORMATIONS {
            check_closed(&Cube::all(deformation, STREAM).mesh(shape, [5, 4, 3]));
        }
        check_closed(&passage(shape));
        check_closed(&passage(shape).shuffled(3).0);
    }
}

fn check_closed(mesh: &Mesh) {
    let mut sum = vec![[0.0; 3]; mesh.nodes()];
    for (ends, normal) in mesh.edge_nodes.iter().zip(&mesh.normals) {
        for d in 0..3 {
            sum[ends[0] as usize][d] += normal[d];
            sum[ends[1] as usize][d] -= normal[d];
        }
    }
    for (node, normal) in mesh.part_node.iter().zip(&mesh.part_normals) {
        for d in 0..3 {
            sum[node[0] as usize][d] += normal[d];
        }
    }
    assert!(sum.iter().flatten().all(|sum| sum.abs() < 1e-14));
}

/// No residual, and after some iterations the same flow, in both precisions.
fn check_kept(mesh: &Mesh, what: &str) {
    check_kept_in::<f64>(mesh, what, 2e-15, 1e-12);
    check_kept_in::<f32>(mesh, &format!("{what}, single precision"), 1e-6, 1e-5);
}

/// No residual but for `residual`, and the same flow but for `change`.
fn check_kept_in<F: Float>(mesh: &Mesh, what: &str, residual: f64, change: f64) {
    let mut flow = Flow::<F>::new(mesh, &Settings::default()).unwrap();
    let start = flow.solution().unwrap();
    flow.prepare().unwrap();
    flow.fluxes(1.0).unwrap();
    for sums in [flow.res, flow.blended] {
        let greatest = widened(&flow, sums).into_iter().fold(0.0_f64, |all, sum| all.max(sum.abs()));
        assert!(greatest < residual, "{what}: {greatest}");
    }
    flow.stage(0.0).unwrap();
    for iteration in 1..=5 {
        flow.iterate(iteration).unwrap();
    }
    for (now, start) in flow.solution().unwrap().iter().flatten().zip(start.iter().flatten()) {
        assert!((now - start).abs() < change, "{what}: {now} {start}");
    }
}

#[test]
fn the_stream_is_kept_on_every_closed_mesh() {
    for shape in SHAPES {
        for deformation in DEFORMATIONS {
            check_kept(&Cube::all(deformation, STREAM).mesh(shape, [5, 4, 3]), &format!("{shape:?} {deformation:?}"));
        }
        let mut mesh = passage(shape);
        mesh.part_kind.fill(STREAM);
        mesh.flag.fill(0);
        mesh.distance.fill(1e10);
        check_kept(&mesh, &format!("{shape:?} passage"));
    }
}

/// Through a straight duct, whose ends impose what the stream has.
#[test]
fn the_stream_is_kept_in_a_duct() {
    let kinds = [[INFLOW, OUTFLOW], [SLIP; 2], [SLIP; 2]];
    for shape in SHAPES {
        for deformation in [Deformation::Straight, Deformation::Graded] {
            check_kept(&Cube { deformation, kinds }.mesh(shape, [5, 4, 3]), &format!("{shape:?} {deformation:?}"));
        }
    }
}
