//! Meshes of the sizes that benches use.

use op2_meshes::{plane, space};
use std::time::{Duration, Instant};

#[test]
fn bench_sizes_have_their_counts() {
    let quads = plane::quads(1200, 600).build().unwrap();
    assert_eq!((quads.cell_nodes.len(), quads.x.len()), (720_000, 1201 * 601));
    assert_eq!((quads.edge_nodes.len(), quads.bedge_nodes.len()), (1199 * 600 + 1200 * 599, 3600));

    let tetrahedra = space::tetrahedra(56, 56, 54).build().unwrap();
    assert_eq!((tetrahedra.cell_nodes.len(), tetrahedra.x.len()), (1_016_064, 57 * 57 * 55));
    // Four faces a cell, where those inside count for two.
    assert_eq!(tetrahedra.bface_nodes.len(), 4 * (56 * 56 + 2 * 56 * 54));
    assert_eq!(2 * tetrahedra.face_nodes.len() + tetrahedra.bface_nodes.len(), 4 * 1_016_064);
}

#[test]
#[ignore = "measures time, which means something in an optimised build on a quiet machine only"]
fn bench_sizes_are_quick() {
    fn timed<M>(what: &str, make: impl FnOnce() -> M) -> M {
        let start = Instant::now();
        let made = make();
        let took = start.elapsed();
        println!("{what}: {:.0} ms", took.as_secs_f64() * 1e3);
        assert!(took < Duration::from_secs(2), "{what} took {took:?}");
        made
    }
    let quads = timed("720,000 quads", || plane::quads(1200, 600).build().unwrap());
    timed("720,000 quads, shuffled", || quads.shuffled(1));
    timed("720,000 triangles", || plane::triangles(600, 600).build().unwrap());
    timed("1,000,000 hexahedra", || space::hexahedra(100, 100, 100).build().unwrap());
    let tetrahedra = timed("1,016,064 tetrahedra", || space::tetrahedra(56, 56, 54).build().unwrap());
    timed("1,016,064 tetrahedra, shuffled", || tetrahedra.shuffled(1));
}
