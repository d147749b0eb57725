//! Coarsening keeps the mesh, ends where no valid collapse is left, and leaves the same mesh whoever runs it.

mod support;

use adapt::loops::Adaptive;
use adapt::mesh::Mesh;
use adapt::metric::{LUP, Metric, length};
use op2::{Backend, Config, Op2};
use support::{check, compare, each_kind, valid_collapses};

#[test]
fn coarsening_ends_with_a_mesh_that_has_no_valid_collapse() {
    let mut op = Op2::with(Config::default().backend(Backend::Threads(2))).unwrap();
    for (seed, s) in [(1, 0.35), (2, 0.5), (3, 0.05), (4, 1.0)] {
        let mesh = Mesh::jittered(24, 17, seed);
        let metric = Metric::uniform(&mesh, s);
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
        let before = check(&mesh, &adaptive.neighbours(&mut op).unwrap());
        let collapses = adaptive.coarsen(&mut op).unwrap() as usize;
        let after = adaptive.mesh(&mut op).unwrap();
        compare(&before, &check(&after, &adaptive.neighbours(&mut op).unwrap()));
        assert_eq!(after.facets.len(), mesh.facets.len() - 2 * collapses);
        assert_eq!(after.vertices.len(), mesh.vertices.len() - collapses);
        let tensors = metric.at_vertices(&after);
        assert_eq!(valid_collapses(&after, &tensors), [], "seed {seed}");
        let long = |mesh: &Mesh| {
            let m = metric.at_vertices(mesh);
            let ends = support::edges(mesh).into_keys().map(|(a, b)| [a as usize, b as usize]);
            ends.filter(|[a, b]| length(mesh.vertices[*a], mesh.vertices[*b], m[*a], m[*b]) > LUP).count()
        };
        assert!(long(&after) <= long(&mesh));
        assert!(s > 0.5 || collapses > 250, "{collapses} of seed {seed}");
    }
}

#[test]
fn everybody_leaves_the_same_mesh() {
    let mesh = Mesh::jittered(16, 11, 5).shuffled(3);
    let tensor = |[x, y]: [f64; 2]| {
        let size = 2.0 + 300.0 * (-40.0 * (x - 0.5 * y - 0.3).powi(2)).exp();
        [size, -0.2 * size, 0.3 * size]
    };
    let metric = Metric::over(&mesh, [9, 7], tensor);
    let mut found = Vec::new();
    for (name, mut op, ordering) in each_kind() {
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
        if let Some(ordering) = ordering {
            op.reorder(ordering).unwrap();
        }
        adaptive.coarsen(&mut op).unwrap();
        let after = adaptive.mesh(&mut op).unwrap();
        check(&after, &adaptive.neighbours(&mut op).unwrap());
        assert!(after.facets.len() < mesh.facets.len() / 2);
        found.push((name, after, adaptive.counts));
    }
    for (name, mesh, counts) in &found[1..] {
        assert_eq!((mesh, counts), (&found[0].1, &found[0].2), "{name}");
    }
}
