//! The running account of chains.

use super::group::Member;
use super::rules::Apart;
use crate::mesh::Mesh;
use crate::report::{ChainRow, ChainedRow, EndRow, LoopStats};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Which loops ran in one pass, and what ended passes. Loops go by the places of their accounts.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    passes: BTreeMap<SmallVec<[usize; 8]>, Pass>,
    ends: BTreeMap<(usize, usize), Apart>,
}

/// The account of loops that ran in one pass.
#[derive(Debug, Clone, Default)]
struct Pass {
    runs: u64,
    seconds: f64,
    /// For each loop.
    useful_bytes: SmallVec<[u64; 8]>,
    /// For each loop.
    saved_bytes: SmallVec<[u64; 8]>,
}

impl Chains {
    /// Adds one pass.
    pub(super) fn ran(&mut self, members: &[Member], seconds: f64) {
        let key: SmallVec<[usize; 8]> = members.iter().map(|m| m.stats).collect();
        let pass = self.passes.entry(key).or_default();
        pass.runs += 1;
        pass.seconds += seconds;
        pass.useful_bytes.resize(members.len(), 0);
        pass.saved_bytes.resize(members.len(), 0);
        for (n, member) in members.iter().enumerate() {
            pass.useful_bytes[n] += member.useful_bytes();
            pass.saved_bytes[n] += member.saved_bytes;
        }
    }

    /// Notes that loop `after` did not run in one pass with loop `before`, in front of it.
    pub(super) fn ended(&mut self, before: usize, after: usize, apart: Apart) {
        self.ends.insert((before, after), apart);
    }

    /// Forgets everything.
    pub(crate) fn restart(&mut self) {
        *self = Chains::default();
    }

    /// The passes as rows of a report.
    pub(crate) fn rows(&self, loops: &[LoopStats]) -> Vec<ChainRow> {
        let row = |(key, pass): (&SmallVec<[usize; 8]>, &Pass)| {
            let loops = key.iter().enumerate().map(|(n, &stats)| {
                let (name, location) = loops[stats].place();
                let (useful_bytes, saved_bytes) = (pass.useful_bytes[n], pass.saved_bytes[n]);
                ChainedRow { name: name.to_owned(), location: location.to_owned(), useful_bytes, saved_bytes }
            });
            ChainRow {
                loops: loops.collect(),
                runs: pass.runs,
                seconds: pass.seconds,
                useful_bytes: pass.useful_bytes.iter().sum(),
                saved_bytes: pass.saved_bytes.iter().sum(),
            }
        };
        self.passes.iter().map(row).collect()
    }

    /// What ended passes, as rows of a report.
    pub(crate) fn ends(&self, loops: &[LoopStats], mesh: &Mesh) -> Vec<EndRow> {
        let name = |stats: usize| loops[stats].place().0.to_owned();
        let row = |(&(before, after), apart): (&(usize, usize), &Apart)| EndRow {
            before: name(before),
            after: name(after),
            reason: apart.reason(mesh),
        };
        self.ends.iter().map(row).collect()
    }
}

impl Apart {
    fn reason(self, mesh: &Mesh) -> String {
        match self {
            Apart::Elements => "they run over different elements".to_owned(),
            Apart::Blocks => "they run in different blocks".to_owned(),
            Apart::Dat { dat } => {
                format!("one modifies `{}`, which the other one reaches through a map", mesh.dats[dat].name)
            }
            Apart::Global { global } => {
                format!("the second one reads `{}`, which is reduced into before it", mesh.globals[global].name)
            }
            Apart::Turns => "elements of one of them meet in what they modify, and take turns".to_owned(),
            Apart::Measured => "the strategy of one of them is being measured".to_owned(),
        }
    }
}
