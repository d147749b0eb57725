//! The heavy loops move the published bytes per edge.

use hydra::mesh::Shape;
use hydra::physics::kind::STREAM;
use hydra::solver::{Flow, Settings};
use op2::{Dat, Float, Value};

use crate::images::{Cube, Deformation};

/// R. Tohid et al., section 5: bytes through maps, direct, and of the former incremented.
const PUBLISHED: [(&str, [u64; 3]); 4] =
    [("accu", [680, 0, 416]), ("edgecon", [528, 24, 384]), ("vflux", [808, 24, 96]), ("iflux", [328, 24, 96])];

/// Nodes, edges, and the dats' bytes of one execution of each loop as op2 counts them: what is read once, what is
/// added to twice.
fn traffic<F: Float>(bricks: [usize; 3]) -> (u64, u64, [u64; 4]) {
    let mesh = Cube::all(Deformation::Straight, STREAM).mesh(Shape::Hexahedra, bricks);
    let mut flow = Flow::<F>::new(&mesh, &Settings::default()).unwrap();
    flow.prepare().unwrap();
    flow.fluxes(1.0).unwrap();
    let report = flow.op.report();
    let bytes = PUBLISHED.map(|(name, _)| {
        let row = report.loops.iter().find(|row| row.name == name).unwrap();
        assert_eq!(row.calls, 1);
        // Two entries of the map, four bytes each.
        row.useful_bytes - 8 * mesh.edges() as u64
    });
    (mesh.nodes() as u64, mesh.edges() as u64, bytes)
}

fn size<S, V: Value>(_: Dat<S, V>) -> u64 {
    size_of::<V>() as u64
}

#[test]
fn bytes_per_edge_are_those_published() {
    let (nodes, edges, few) = traffic::<f64>([2, 3, 4]);
    let (more_nodes, more_edges, more) = traffic::<f64>([5, 5, 5]);
    let flow = Flow::<f64>::new(
        &Cube::all(Deformation::Straight, STREAM).mesh(Shape::Hexahedra, [1; 3]),
        &Settings::default(),
    )
    .unwrap();
    let incremented = [
        size(flow.slopes) + size(flow.lsq) + size(flow.radius),
        size(flow.grad) + size(flow.lap),
        size(flow.vis),
        size(flow.res),
    ];
    for (k, (name, [indirect, direct, added])) in PUBLISHED.into_iter().enumerate() {
        // An edge has two nodes. The loops move bytes per node and per edge; two meshes separate these.
        assert_eq!(2 * incremented[k], added, "{name}");
        let per_node = (indirect + added) / 2;
        assert_eq!(few[k], per_node * nodes + direct * edges, "{name}");
        assert_eq!(more[k], per_node * more_nodes + direct * more_edges, "{name}");
    }
    assert_ne!(nodes * more_edges, more_nodes * edges, "the meshes tell nothing apart");
}

/// Floats take half the bytes; two of the flags, four bytes each, are what else loops but `edgecon` reach at an edge.
#[test]
fn single_precision_moves_half_the_bytes() {
    let ((nodes, _, double), (_, _, single)) = (traffic::<f64>([2, 3, 4]), traffic::<f32>([2, 3, 4]));
    for (k, (name, _)) in PUBLISHED.into_iter().enumerate() {
        let flags = if name == "edgecon" { 0 } else { 4 * nodes };
        assert_eq!(2 * (single[k] - flags), double[k] - flags, "{name}");
    }
}
