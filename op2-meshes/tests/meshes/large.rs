//! Meshes of the sizes that benches use.

use op2_meshes::{plane, space};

#[test]
fn bench_sizes_have_their_counts() {
    let quads = plane::quads(1200, 600).build().unwrap();
    assert_eq!((quads.cell_nodes.len(), quads.x.len()), (720_000, 1201 * 601));
    assert_eq!((quads.edge_nodes.len(), quads.bedge_nodes.len()), (1199 * 600 + 1200 * 599, 3600));

    let tetrahedra = space::tetrahedra(56, 56, 54).build().unwrap();
    assert_eq!((tetrahedra.cell_nodes.len(), tetrahedra.x.len()), (1_016_064, 57 * 57 * 55));
    // Each cell has four faces; interior ones count twice.
    assert_eq!(tetrahedra.bface_nodes.len(), 4 * (56 * 56 + 2 * 56 * 54));
    assert_eq!(2 * tetrahedra.face_nodes.len() + tetrahedra.bface_nodes.len(), 4 * 1_016_064);
}
