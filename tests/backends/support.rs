//! What a test body stands on: configurations to run it in, meshes to run it on, and the comparison
//! of what came out.
//!
//! A test states what a loop must give, computed in plain Rust, and a body that computes the same
//! by loops of op2. [`on_every_backend`] does the rest.

pub(crate) mod configuration;
pub(crate) mod mesh;
pub(crate) mod record;
pub(crate) mod sample;

pub(crate) use configuration::{Configuration, STRATEGIES};
pub(crate) use mesh::{Declared, Edges, Mesh, Nodes};
pub(crate) use sample::samples;

use op2::Op2;
use record::{Record, Recorded};
use std::fmt::Debug;

/// Runs `body` on every case in every configuration.
///
/// Each result must agree with `expected`: integers and flags exactly, floats to rounding. Results
/// of configurations of one [group](Configuration::groups) must be the same to the last bit.
/// The cases of one configuration share an `Op2`, so that plans of one mesh meet loops of the next.
pub(crate) fn on_every_backend<C: Debug, R: Recorded>(
    cases: &[C],
    expected: impl Fn(&C) -> R,
    body: impl Fn(&mut Op2, &C) -> op2::Result<R>,
) {
    let expected: Vec<Record> = cases.iter().map(|case| Record::of(&expected(case))).collect();
    for group in Configuration::groups() {
        let mut first: Option<(Configuration, Vec<Record>)> = None;
        for configuration in group {
            let found = run(configuration, cases, &body);
            for ((case, found), expected) in cases.iter().zip(&found).zip(&expected) {
                if let Err(difference) = found.agrees(expected) {
                    panic!("{configuration} on {case:?}: {difference}");
                }
            }
            let (leader, same) = first.get_or_insert_with(|| (configuration, found.clone()));
            for ((case, found), same) in cases.iter().zip(&found).zip(&*same) {
                if let Err(difference) = found.is_identical(same) {
                    panic!("{configuration} differs from {leader} on {case:?}: {difference}");
                }
            }
        }
    }
}

fn run<C: Debug, R: Recorded>(
    configuration: Configuration,
    cases: &[C],
    body: impl Fn(&mut Op2, &C) -> op2::Result<R>,
) -> Vec<Record> {
    let mut op = configuration.op();
    let one = |case| match body(&mut op, case) {
        Ok(result) => Record::of(&result),
        Err(error) => panic!("{configuration} on {case:?}: {error}"),
    };
    cases.iter().map(one).collect()
}
