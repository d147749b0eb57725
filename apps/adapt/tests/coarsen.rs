//! Coarsening keeps the mesh, ends where no valid collapse is left, and leaves the same mesh whoever runs it.

mod support;

use adapt::loops::Adaptive;
use adapt::mesh::{Kind, Mesh};
use adapt::metric::{Metric, Tensor};
use adapt::verify::collapse::{none_left, none_made_long};
use adapt::verify::{Changes, Facts, adjacency, counts, same_domain};
use op2::{Backend, Config, Op2};
use std::f64::consts::PI;
use support::each_kind;

fn threads() -> Op2 {
    Op2::with(Config::default().backend(Backend::Threads(2))).unwrap()
}

/// Checks a coarsened mesh next to that before; returns it.
fn coarsened(op: &mut Op2, before: &Mesh, adaptive: &Adaptive, metric: &Metric) -> Mesh {
    let after = adaptive.mesh(op).unwrap();
    let facts = [before, &after].map(|mesh| Facts::of(mesh).unwrap());
    adjacency(&after, &adaptive.neighbours(op).unwrap()).unwrap();
    same_domain(&facts[0], &facts[1]).unwrap();
    let changes = Changes { collapses: adaptive.counts.collapses as usize, ..Changes::default() };
    counts(&facts[0], &facts[1], &changes).unwrap();
    let tensors = metric.at_vertices(&after);
    none_made_long(before, &after, &tensors).unwrap();
    none_left(&after, &tensors).unwrap();
    after
}

/// A band across the square in which facets are narrow.
fn band([x, y]: [f64; 2]) -> Tensor {
    let size = 2.0 + 300.0 * (-40.0 * (x - 0.5 * y - 0.3).powi(2)).exp();
    [size, -0.2 * size, 0.3 * size]
}

#[test]
fn coarsening_ends_with_a_mesh_that_has_no_valid_collapse() {
    let mut op = threads();
    for (seed, s, least) in [(1, 0.35, 250), (2, 0.5, 250), (3, 0.05, 330), (4, 1.0, 1)] {
        let mesh = Mesh::jittered(24, 17, seed);
        let metric = Metric::uniform(&mesh, s);
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
        let collapses = adaptive.coarsen(&mut op).unwrap();
        assert_eq!(collapses, adaptive.counts.collapses);
        coarsened(&mut op, &mesh, &adaptive, &metric);
        assert!(collapses >= least, "{collapses} of seed {seed}");
    }
}

#[test]
fn all_kinds_of_meshes_are_coarsened() {
    let mut op = threads();
    for kind in Kind::ALL {
        let mesh = kind.mesh(3000, 2).unwrap().shuffled(9);
        for metric in [Metric::uniform(&mesh, 0.3), Metric::over(&mesh, [9, 7], band)] {
            let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
            adaptive.coarsen(&mut op).unwrap();
            let after = coarsened(&mut op, &mesh, &adaptive, &metric);
            assert!(after.facets.len() < 2000, "{} of kind {kind}", after.facets.len());
            assert_eq!(adaptive.coarsen(&mut op).unwrap(), 0, "nothing is left to do");
        }
    }
}

/// A vertex with so many neighbours, on a circle but for every third one, which lies further inside.
fn wheel(corners: usize, inside: f64) -> Mesh {
    let corner = |k: usize| {
        let (radius, angle) = (if k % 3 == 1 { inside } else { 1.0 }, 2.0 * PI * k as f64 / corners as f64);
        [radius * angle.cos(), radius * angle.sin()]
    };
    let hub = corners as u32;
    Mesh {
        vertices: (0..corners).map(corner).chain([[0.1, 0.05]]).collect(),
        facets: (0..hub).map(|k| [hub, k, (k + 1) % hub]).collect(),
    }
}

/// Corners beyond those that a vertex remembers are found again.
#[test]
fn vertices_may_have_many_neighbours() {
    let mut stay = 0;
    for corners in [5, 11, 12, 13, 14, 25, 40] {
        for inside in [1.0, 0.999, 0.5] {
            for mesh in [wheel(corners, inside), wheel(corners, inside).shuffled(7)] {
                let mut op = threads();
                let metric = Metric::uniform(&mesh, 0.05);
                let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
                let found = adaptive.coarsen(&mut op).unwrap();
                coarsened(&mut op, &mesh, &adaptive, &metric);
                assert!(found == 1 || inside < 1.0, "{corners} corners on a circle");
                stay += u64::from(found == 0);
            }
        }
    }
    assert!(stay > 0, "some wheels have no corner that sees all others");
}

/// The mesh and the metric of the benchmark: with ties in the order of numbers, 54,510 facets stay where the shortest edge alone is
/// tried, and 50,942 where others are, too.
#[test]
fn the_benchmark_leaves_fewer_facets_than_the_published_order() {
    for seed in [None, Some(3)] {
        let mesh = Mesh::jittered(384, 408, 1);
        let mesh = seed.map_or(mesh.clone(), |seed| mesh.shuffled(seed));
        let metric = Metric::uniform(&mesh, 0.35);
        let mut op = threads();
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
        adaptive.coarsen(&mut op).unwrap();
        let after = coarsened(&mut op, &mesh, &adaptive, &metric);
        assert!(after.facets.len() <= 50_500, "{}", after.facets.len());
        assert!(adaptive.counts.sweeps <= 40, "{}", adaptive.counts.sweeps);
    }
}

#[test]
fn everybody_leaves_the_same_mesh() {
    let mesh = Mesh::jittered(16, 11, 5).shuffled(3);
    let metric = Metric::over(&mesh, [9, 7], band);
    let mut found = Vec::new();
    for (name, mut op, ordering) in each_kind() {
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
        if let Some(ordering) = ordering {
            op.reorder(ordering).unwrap();
        }
        adaptive.coarsen(&mut op).unwrap();
        let after = coarsened(&mut op, &mesh, &adaptive, &metric);
        assert!(after.facets.len() < mesh.facets.len() / 2);
        found.push((name, after, adaptive.counts));
    }
    for (name, mesh, counts) in &found[1..] {
        assert_eq!((mesh, counts), (&found[0].1, &found[0].2), "{name}");
    }
}

#[test]
fn fields_stay_with_their_vertices() {
    let mut op = threads();
    let mesh = Mesh::jittered(16, 11, 5).shuffled(4);
    let field = |mesh: &Mesh| {
        let values = mesh.vertices.iter().map(|[x, y]| x - 7.0 * y).collect();
        adapt::outcome::Field { name: "tilt".to_owned(), values }
    };
    let mut adaptive = Adaptive::new(&mut op, &mesh, &Metric::uniform(&mesh, 0.4), &[field(&mesh)]).unwrap();
    adaptive.coarsen(&mut op).unwrap();
    let after = adaptive.mesh(&mut op).unwrap();
    assert_eq!(adaptive.fields(&mut op).unwrap(), [field(&after)]);
}

#[test]
fn a_mesh_without_vertices_inside_stays() {
    let mut op = threads();
    let mesh = Mesh { vertices: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], facets: vec![[0, 1, 2]] };
    let mut adaptive = Adaptive::new(&mut op, &mesh, &Metric::uniform(&mesh, 0.001), &[]).unwrap();
    assert_eq!(adaptive.coarsen(&mut op).unwrap(), 0);
    assert_eq!(adaptive.mesh(&mut op).unwrap(), mesh);
}
