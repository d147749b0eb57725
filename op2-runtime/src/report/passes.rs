//! The running statistics of chains.

use super::{ChainRow, ChainedRow, EndRow, LoopStats};
use crate::mesh::Mesh;

/// Which loops ran in one pass, and why passes ended. Loops are identified by the index of their statistics.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    /// In the order of their loops. Trees for so few entries take longer to compile than all of this module.
    passes: Vec<(Vec<usize>, Pass)>,
    /// In the order of the two loops.
    ends: Vec<((usize, usize), Obstacle)>,
}

/// One loop of a pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    /// The index of its statistics.
    pub(crate) stats: usize,
    pub(crate) useful_bytes: u64,
    pub(crate) saved_bytes: u64,
}

/// The statistics of loops that ran in one pass.
#[derive(Debug, Clone, Default)]
struct Pass {
    runs: u64,
    seconds: f64,
    /// For each loop.
    useful_bytes: Vec<u64>,
    /// For each loop.
    saved_bytes: Vec<u64>,
}

impl Chains {
    /// Adds one pass.
    pub(crate) fn ran(&mut self, loops: &[Passed], seconds: f64) {
        let key = || loops.iter().map(|l| l.stats);
        let place = match self.passes.binary_search_by(|(known, _)| known.iter().copied().cmp(key())) {
            Ok(place) => place,
            Err(place) => {
                self.passes.insert(place, (key().collect(), Pass::default()));
                place
            }
        };
        let pass = &mut self.passes[place].1;
        pass.runs += 1;
        pass.seconds += seconds;
        pass.useful_bytes.resize(loops.len(), 0);
        pass.saved_bytes.resize(loops.len(), 0);
        for (n, passed) in loops.iter().enumerate() {
            pass.useful_bytes[n] += passed.useful_bytes;
            pass.saved_bytes[n] += passed.saved_bytes;
        }
    }

    /// Notes that loop `after` did not run in one pass with loop `before`, in front of it.
    pub(crate) fn ended(&mut self, before: usize, after: usize, obstacle: Obstacle) {
        match self.ends.binary_search_by(|(known, _)| known.cmp(&(before, after))) {
            Ok(place) => self.ends[place].1 = obstacle,
            Err(place) => self.ends.insert(place, ((before, after), obstacle)),
        }
    }

    /// Forgets everything.
    pub(crate) fn restart(&mut self) {
        *self = Chains::default();
    }

    /// The passes as rows of a report.
    pub(crate) fn rows(&self, loops: &[LoopStats]) -> Vec<ChainRow> {
        let row = |(key, pass): &(Vec<usize>, Pass)| {
            // All loops of a pass run over the same elements.
            let set = key.first().map_or(String::new(), |&stats| loops[stats].set().to_owned());
            let loops = key.iter().enumerate().map(|(n, &stats)| {
                let (name, location) = loops[stats].place();
                let (useful_bytes, saved_bytes) = (pass.useful_bytes[n], pass.saved_bytes[n]);
                ChainedRow { name: name.to_owned(), location: location.to_owned(), useful_bytes, saved_bytes }
            });
            ChainRow {
                set,
                loops: loops.collect(),
                runs: pass.runs,
                seconds: pass.seconds,
                useful_bytes: pass.useful_bytes.iter().sum(),
                saved_bytes: pass.saved_bytes.iter().sum(),
            }
        };
        self.passes.iter().map(row).collect()
    }

    /// The ends of passes, as rows of a report.
    pub(crate) fn ends(&self, loops: &[LoopStats], mesh: &Mesh) -> Vec<EndRow> {
        let name = |stats: usize| loops[stats].place().0.to_owned();
        let set = |stats: usize| loops[stats].set().to_owned();
        let row = |&((before, after), obstacle): &((usize, usize), Obstacle)| EndRow {
            before: name(before),
            before_set: set(before),
            after: name(after),
            after_set: set(after),
            reason: obstacle.reason(mesh),
        };
        self.ends.iter().map(row).collect()
    }
}

/// Why a loop does not run in one pass with those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// It runs over different elements.
    Elements,
    /// Its blocks differ.
    Blocks,
    /// One loop modifies a dat that the other one reaches through a map.
    Dat { dat: usize },
    /// It reads what a loop before it reduces into.
    Global { global: usize },
    /// The elements of one of the two take turns.
    Turns,
    /// One of the two writes entries of a map, by which loops are planned.
    Entries,
    /// The strategy of one of the two is being measured.
    Measured,
}

impl Obstacle {
    fn reason(self, mesh: &Mesh) -> String {
        match self {
            Obstacle::Elements => "they run over different elements".to_owned(),
            Obstacle::Blocks => "they run in different blocks".to_owned(),
            Obstacle::Dat { dat } => {
                format!("one modifies `{}`, which the other one reaches through a map", mesh.dats[dat].name)
            }
            Obstacle::Global { global } => {
                format!("the second one reads `{}`, which is reduced into before it", mesh.globals[global].name)
            }
            Obstacle::Turns => "elements of one of them meet in what they modify, and take turns".to_owned(),
            Obstacle::Entries => "one of them writes entries of a map".to_owned(),
            Obstacle::Measured => "the strategy of one of them is being measured".to_owned(),
        }
    }
}
