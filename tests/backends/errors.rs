//! Calls that cannot run: they return an error that tells the reason, and change nothing.

mod aliases;
mod collisions;
mod constants;
mod growth;
mod handles;
mod indices;

use crate::support::{Configuration, Edges, Nodes};
use op2::{Dat, Error, Global, Map, Op2, Set};

/// A small mesh with data, and the values that the data must keep.
struct Fixture {
    op: Op2,
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    map: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, f64>,
    sum: Dat<Nodes, f64>,
    total: Global<f64>,
}

impl Fixture {
    /// Six edges in a row on seven nodes; the last edge has the same node twice.
    fn new(configuration: Configuration) -> Self {
        let mut op = configuration.op();
        let edges = op.decl_set("edges", 6).unwrap();
        let nodes = op.decl_set("nodes", 7).unwrap();
        let map = op.decl_map("map", edges, nodes, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [6, 6]]).unwrap();
        let weight = op.decl_dat("weight", edges, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let sum = op.decl_dat_filled("sum", nodes, 10.0).unwrap();
        let total = op.decl_global("total", 100.0);
        Fixture { op, edges, nodes, map, weight, sum, total }
    }

    /// The values that loops could change.
    fn values(&self) -> (Vec<f64>, Vec<f64>, f64) {
        let Fixture { op, weight, sum, total, .. } = self;
        (op.fetch(*weight).unwrap(), op.fetch(*sum).unwrap(), op.get(*total).unwrap())
    }
}

/// Runs `call` on both executors. It must fail with `text`, which follows file and line of the loop, and change
/// nothing.
#[track_caller]
fn refused(text: &str, call: impl Fn(&mut Fixture) -> op2::Result<()>) {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut fixture = Fixture::new(configuration);
        let before = fixture.values();
        let error = call(&mut fixture).expect_err("the loop must not run");
        let Error::Loop(loop_error) = &error else { panic!("{configuration}: expected a loop error, found {error:?}") };
        let place = format!("({}:{})", loop_error.site.file, loop_error.site.line);
        assert!(loop_error.site.file.contains("tests/backends/errors/"), "{place}");
        assert_eq!(error.to_string().replacen(&place, "()", 1), text, "{configuration}");
        assert_eq!(fixture.values(), before, "{configuration}: nothing may change");
    }
}
