//! Support for test bodies: configurations, meshes, and the comparison of results.
//!
//! A test states the expected results, computed in plain Rust, and a body that computes the same by loops of op2.
//! [`on_every_backend`] does the rest.

pub(crate) mod configuration;
pub(crate) mod mesh;
pub(crate) mod record;
pub(crate) mod sample;

pub(crate) use configuration::{Configuration, STRATEGIES};
pub(crate) use mesh::{Declared, Edges, Mesh, Nodes};
pub(crate) use sample::samples;

use configuration::Numbering;
use op2::__private::{Call, CallOf, IterPairs, IterSet, LoopDesc};
use op2::Op2;
use record::{Record, Recorded};
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

/// Runs `body` on every case in every configuration; those in the emulator run [every other case](Configuration::runs) of many.
///
/// Each result must agree with `expected`: integers and flags exactly, floats up to rounding. Results of the
/// configurations of one [group](Configuration::groups) must be the same to the last bit. The cases of one
/// configuration share an `Op2`, so that plans of one mesh exist when loops over the next run.
pub(crate) fn on_every_backend<C: Debug, R: Recorded>(
    cases: &[C],
    expected: impl Fn(&C) -> R,
    body: impl Fn(&mut Subject, &C) -> op2::Result<R>,
) {
    in_groups(Configuration::groups(), cases, &expected, &body);
}

/// The same in some configurations only.
pub(crate) fn on_backends_with<C: Debug, R: Recorded>(
    which: impl Fn(&Configuration) -> bool,
    cases: &[C],
    expected: impl Fn(&C) -> R,
    body: impl Fn(&mut Subject, &C) -> op2::Result<R>,
) {
    let mut groups = Configuration::groups();
    groups.iter_mut().for_each(|group| group.retain(&which));
    groups.retain(|group| !group.is_empty());
    assert!(groups.len() > 4 || op2_test_support::on_a_gpu_alone(), "{groups:?}");
    in_groups(groups, cases, &expected, &body);
}

fn in_groups<C: Debug, R: Recorded>(
    groups: Vec<Vec<Configuration>>,
    cases: &[C],
    expected: &dyn Fn(&C) -> R,
    body: &dyn Fn(&mut Subject, &C) -> op2::Result<R>,
) {
    let expected: Vec<Record> = cases.iter().map(|case| Record::of(&expected(case))).collect();
    for group in groups {
        let mut first: Option<(Configuration, Vec<Record>)> = None;
        for configuration in group {
            let chosen = |n: &usize| configuration.runs(*n, cases.len());
            let (cases, expected): (Vec<&C>, Vec<&Record>) =
                (0..cases.len()).filter(chosen).map(|n| (&cases[n], &expected[n])).unzip();
            let found = run(configuration, &cases, body);
            for ((case, found), expected) in cases.iter().zip(&found).zip(expected) {
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
    cases: &[&C],
    body: &dyn Fn(&mut Subject, &C) -> op2::Result<R>,
) -> Vec<Record> {
    let mut subject = Subject::new(configuration);
    let one = |case| {
        // An ordering follows the largest map, so other meshes must not share its `Op2`.
        if subject.is_ordered {
            subject = Subject::new(configuration);
        }
        match body(&mut subject, case) {
            Ok(result) => Record::of(&result),
            Err(error) => panic!("{configuration} on {case:?}: {error}"),
        }
    };
    cases.iter().copied().map(one).collect()
}

/// The mesh of a body: an [`Op2`] that renumbers its mesh before the first loop if the configuration demands it.
pub(crate) struct Subject {
    op: Op2,
    numbering: Numbering,
    is_ordered: bool,
}

impl From<Op2> for Subject {
    fn from(op: Op2) -> Self {
        Subject { op, numbering: Numbering::Declared, is_ordered: false }
    }
}

impl Subject {
    pub(crate) fn new(configuration: Configuration) -> Self {
        Subject { op: configuration.op(), numbering: configuration.numbering, is_ordered: false }
    }

    /// Replaces the function of [`Op2`] that the macros call.
    pub(crate) fn __call<I: IterSet>(&mut self, desc: &'static LoopDesc, over: I) -> Call<'_, I::Tag> {
        self.order();
        self.op.__call(desc, over)
    }

    /// The same of loops over pairs.
    pub(crate) fn __call_pairs<P: IterPairs>(&mut self, desc: &'static LoopDesc, over: P) -> CallOf<'_, P> {
        self.order();
        self.op.__call_pairs(desc, over)
    }

    fn order(&mut self) {
        if let Numbering::Ordered(ordering) = self.numbering
            && !self.is_ordered
        {
            self.is_ordered = true;
            match self.op.reorder(ordering) {
                Ok(_) | Err(op2::Error::Reorder(op2::reorder::ReorderError::NoMap)) => {}
                Err(error) => panic!("{ordering}: {error}"),
            }
        }
    }
}

impl Deref for Subject {
    type Target = Op2;

    fn deref(&self) -> &Op2 {
        &self.op
    }
}

impl DerefMut for Subject {
    fn deref_mut(&mut self) -> &mut Op2 {
        &mut self.op
    }
}
