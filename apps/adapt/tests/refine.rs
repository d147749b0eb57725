//! Refinement makes the mesh that the rules of red-green subdivision ask for, merges greens, and makes the same mesh whoever runs it.

mod support;

use adapt::loops::Adaptive;
use adapt::mesh::{Kind, Mesh};
use adapt::metric::{Metric, Tensor};
use adapt::outcome::Field;
use adapt::quality::Quality;
use adapt::verify::phases::{self, State};
use adapt::verify::{Facts, same_domain};
use op2::{Backend, Config, Op2};
use support::each_kind;

fn threads() -> Op2 {
    Op2::with(Config::default().backend(Backend::Threads(2))).unwrap()
}

/// Refines once, and checks it. Returns how many edges were divided.
fn refine(op: &mut Op2, adaptive: &mut Adaptive, metric: &Metric) -> u64 {
    let before = State::of(op, adaptive).unwrap();
    let split = adaptive.refine(op).unwrap();
    let after = State::of(op, adaptive).unwrap();
    assert_eq!(split, adaptive.counts.split - before.counts.split);
    phases::refined(&before, &after, metric).unwrap();
    split
}

/// Coarsens, and checks it.
fn coarsen(op: &mut Op2, adaptive: &mut Adaptive, metric: &Metric) -> u64 {
    let before = State::of(op, adaptive).unwrap();
    let collapses = adaptive.coarsen(op).unwrap();
    phases::coarsened(&before, &State::of(op, adaptive).unwrap(), metric).unwrap();
    collapses
}

fn tilt(mesh: &Mesh) -> Field {
    Field { name: "tilt".to_owned(), values: mesh.vertices.iter().map(|[x, y]| x - 7.0 * y).collect() }
}

/// Facets have to be small along a curve.
fn front(scale: f64) -> impl Fn([f64; 2]) -> Tensor {
    move |[x, y]| {
        let size = scale * (1.0 + 60.0 * (-30.0 * (x * x + y - 0.7).powi(2)).exp());
        [size, -0.3 * size, 0.5 * size]
    }
}

#[test]
fn every_facet_becomes_four() {
    let mesh = Mesh::jittered(24, 17, 1);
    let metric = Metric::uniform(&mesh, 3.0);
    let mut op = threads();
    let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[tilt(&mesh)]).unwrap();
    let split = refine(&mut op, &mut adaptive, &metric);
    let after = adaptive.mesh(&mut op).unwrap();
    assert_eq!(after.facets.len(), 4 * mesh.facets.len());
    // Edges by Euler's formula for a square.
    assert_eq!(split as usize, mesh.vertices.len() + mesh.facets.len() - 1);
    assert_eq!((adaptive.counts.red, adaptive.counts.green), (mesh.facets.len() as u64, 0));
}

#[test]
fn passes_follow_the_rules_on_all_kinds_of_meshes() {
    let mut op = threads();
    for kind in Kind::ALL {
        let mesh = kind.mesh(800, 2).unwrap().shuffled(9);
        let metric = Metric::over(&mesh, [17, 9], front(300.0));
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[tilt(&mesh)]).unwrap();
        let mut passes = 0;
        while refine(&mut op, &mut adaptive, &metric) > 0 {
            passes += 1;
            assert!(passes < 20);
        }
        let counts = adaptive.counts;
        assert!(passes > 2 && counts.red > 50 && counts.green > 20, "{kind}: {passes} {counts:?}");
        let after = adaptive.mesh(&mut op).unwrap();
        assert_eq!(Quality::of(&after, &metric.at_vertices(&after)).long_edges, 0);
        assert_eq!(adaptive.refine(&mut op).unwrap(), 0);
    }
}

/// Coarsening and refinement in turn, until neither has anything to do.
#[test]
fn both_phases_in_turn_end() {
    let mut op = threads();
    for kind in Kind::ALL {
        let mesh = kind.mesh(1500, 3).unwrap();
        let metric = Metric::over(&mesh, [17, 9], front(150.0));
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[tilt(&mesh)]).unwrap();
        let mut rounds = 0;
        while adaptive.coarsen(&mut op).unwrap() + adaptive.refine(&mut op).unwrap() > 0 {
            rounds += 1;
            assert!(rounds < 20, "{kind}: {:?}", adaptive.counts);
        }
        let after = State::of(&mut op, &adaptive).unwrap();
        assert!(adaptive.counts.red > 0 && adaptive.counts.collapses > 0 && rounds > 0);
        phases::converged(&after.mesh, &metric.at_vertices(&after.mesh)).unwrap();
        let facts = [&mesh, &after.mesh].map(|mesh| Facts::of(mesh).unwrap());
        same_domain(&facts[0], &facts[1]).unwrap();
        assert_eq!(adaptive.coarsen(&mut op).unwrap() + adaptive.refine(&mut op).unwrap(), 0, "it stays");
    }
}

/// A point around which facets have to be small moves over facets that are all alike, and the greens around it are in its way. Angles
/// stay above those of the halves of a facet.
#[test]
fn greens_are_not_halved_again() {
    let mesh = Kind::Structured.mesh(50, 1).unwrap();
    let around = |step: usize| {
        let middle = 0.2 + 0.02 * step as f64;
        Metric::over(&mesh, [65, 65], |[x, y]| {
            let size = 8.0 / ((x - middle).powi(2) + (y - 0.41).powi(2) + 1e-4);
            [size, 0.0, size]
        })
    };
    let mut op = threads();
    let mut adaptive = Adaptive::new(&mut op, &mesh, &around(0), &[]).unwrap();
    for step in 0..24 {
        let metric = around(step);
        adaptive.measure(&mut op, &metric).unwrap();
        refine(&mut op, &mut adaptive, &metric);
    }
    let after = adaptive.mesh(&mut op).unwrap();
    assert!(adaptive.counts.merged > 20, "{:?}", adaptive.counts);
    // A right isosceles triangle with a half of a short side has an angle of 45° - atan(1/2).
    let bound = 45.0 - 0.5_f64.atan().to_degrees();
    let least = Quality::of(&after, &around(0).at_vertices(&after)).smallest_angle;
    assert!(least > bound - 1e-9, "{least}, expected at least {bound}");
}

#[test]
fn everybody_makes_the_same_meshes() {
    let mesh = Mesh::jittered(9, 7, 5).shuffled(3);
    let metrics = [100.0, 160.0].map(|scale| Metric::over(&mesh, [9, 7], front(scale)));
    let mut found = Vec::new();
    for (name, mut op, ordering) in each_kind() {
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metrics[0], &[tilt(&mesh)]).unwrap();
        for round in 0..4 {
            adaptive.measure(&mut op, &metrics[round % 2]).unwrap();
            if let Some(ordering) = ordering.filter(|_| round > 0) {
                op.reorder(ordering).unwrap();
            }
            refine(&mut op, &mut adaptive, &metrics[round % 2]);
            refine(&mut op, &mut adaptive, &metrics[round % 2]);
            coarsen(&mut op, &mut adaptive, &metrics[round % 2]);
        }
        assert!(adaptive.counts.merged > 0 && adaptive.counts.collapses > 0, "{:?}", adaptive.counts);
        found.push((name, adaptive.mesh(&mut op).unwrap(), adaptive.fields(&mut op).unwrap(), adaptive.counts));
    }
    for (name, mesh, fields, counts) in &found[1..] {
        assert_eq!((mesh, fields, counts), (&found[0].1, &found[0].2, &found[0].3), "{name}");
    }
}

#[test]
fn vertices_know_the_metric() {
    let mesh = Mesh::jittered(9, 7, 5);
    let [coarse, fine] = [[9, 7], [40, 33]].map(|nodes| Metric::over(&mesh, nodes, front(6.0)));
    let mut op = threads();
    let mut adaptive = Adaptive::new(&mut op, &mesh, &coarse, &[]).unwrap();
    for metric in [&coarse, &fine, &coarse] {
        adaptive.measure(&mut op, metric).unwrap();
        refine(&mut op, &mut adaptive, metric);
        let after = adaptive.mesh(&mut op).unwrap();
        assert_eq!(adaptive.tensors(&mut op).unwrap(), metric.at_vertices(&after));
    }
}
