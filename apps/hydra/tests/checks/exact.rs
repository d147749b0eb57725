//! Gradients are exact, and pseudo-Laplacians vanish, for linear fields: inside, on sides, edges and corners.

use hydra::mesh::Mesh;
use hydra::physics::kind::STREAM;
use hydra::physics::{GAMMA, UNKNOWNS, state};
use hydra::solver::{Flow, Settings};
use op2::Float;

use crate::images::{Cube, DEFORMATIONS, SHAPES, passage};

/// Values at the origin, and gradients, of six fields.
const VALUES: [f64; UNKNOWNS] = [20.0, 0.3, -0.2, 0.1, 30.0, 0.02];
const GRADIENTS: [[f64; 3]; UNKNOWNS] =
    [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3], [-0.2, 0.1, 0.2], [0.3, 0.3, -0.1], [-0.6, 0.7, 0.4], [0.01, 0.02, -0.01]];

fn linear(x: &[f64; 3]) -> [f64; UNKNOWNS] {
    std::array::from_fn(|n| VALUES[n] + (0..3).map(|d| GRADIENTS[n][d] * x[d]).sum::<f64>())
}

/// The state whose temperature, velocity, pressure and turbulence variable are linear.
fn linear_primitives(x: &[f64; 3]) -> [f64; UNKNOWNS] {
    let [t, u, v, w, p, nu] = linear(x);
    state(GAMMA * p / t, [u, v, w], t, nu)
}

fn meshes() -> Vec<(String, Mesh)> {
    let mut meshes = Vec::new();
    for shape in SHAPES {
        for deformation in DEFORMATIONS {
            meshes.push((format!("{shape:?} {deformation:?}"), Cube::all(deformation, STREAM).mesh(shape, [4, 4, 3])));
        }
        meshes.push((format!("{shape:?} one brick"), Cube::all(DEFORMATIONS[0], STREAM).mesh(shape, [1, 1, 1])));
        meshes.push((format!("{shape:?} passage"), passage(shape)));
    }
    meshes
}

fn check<F: Float>(found: &[[[F; 3]; UNKNOWNS]], rounding: f64, what: &str) {
    for (node, gradients) in found.iter().enumerate() {
        for (found, expected) in gradients.iter().flatten().zip(GRADIENTS.iter().flatten()) {
            let found = found.to_f64();
            assert!((found - expected).abs() < rounding, "{what}, node {node}: {found} {expected}");
        }
    }
}

#[test]
fn gradients_of_the_unknowns() {
    check_gradients::<f64>(1e-9, 1e-10);
}

#[test]
fn slopes_by_least_squares() {
    check_slopes::<f64>(1e-9);
}

#[test]
fn both_in_single_precision() {
    check_gradients::<f32>(1e-3, 1e-4);
    check_slopes::<f32>(1e-3);
}

fn check_gradients<F: Float>(rounding: f64, vanished: f64) {
    for (what, mesh) in meshes() {
        let mut flow = Flow::<F>::new(&mesh, &Settings::default()).unwrap();
        let q: Vec<_> = mesh.x.iter().map(|x| linear(x).map(F::lit)).collect();
        flow.op.set_data(flow.q, &q).unwrap();
        flow.gradients().unwrap();
        check(&flow.op.fetch(flow.grad).unwrap(), rounding, &what);
        let lap = flow.op.fetch(flow.lap).unwrap();
        assert!(lap.iter().flatten().all(|lap| lap.abs().to_f64() < vanished), "{what}");
    }
}

fn check_slopes<F: Float>(rounding: f64) {
    for (what, mesh) in meshes() {
        let mut flow = Flow::<F>::new(&mesh, &Settings::default()).unwrap();
        let q: Vec<_> = mesh.x.iter().map(|x| linear_primitives(x).map(F::lit)).collect();
        flow.op.set_data(flow.q, &q).unwrap();
        flow.prepare().unwrap();
        check(&flow.op.fetch(flow.slopes).unwrap(), rounding, &what);
    }
}
