//! [`Strategy::Auto`]: which strategy the next execution of a loop follows, until the trials have shown which one is best.
//!
//! Executors ask which strategy an execution follows, and report afterwards how long it took; everything else happens
//! here. Decisions are made per loop and everything that its plans depend on. A settled loop costs one more look-up
//! than a loop with a pinned strategy.

pub(crate) mod candidates;
mod decisions;
pub(crate) mod fingerprint;
mod lines;
mod memory;
mod rules;
pub(crate) mod trials;

use crate::isa::Isa;
use crate::plan::key::PlanKey;
use crate::strategy::Pin;
pub use decisions::{Decision, Decisions, How};
use fingerprint::{Fingerprint, Machine};
use memory::Memory;
use op2_cache::Key;
pub(crate) use rules::Rules;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::OnceLock;
pub use trials::Trial;
use trials::Trials;

/// A loop, by the address of its description, the key of its plans, and the instructions that are stated for it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct LoopKey {
    pub(crate) desc: usize,
    pub(crate) plan: PlanKey,
    pub(crate) isa: Option<Isa>,
}

/// All decisions of an `Op2`, and those that are still open.
#[derive(Debug)]
pub(crate) struct Chooser {
    /// The folder that the program named for the cache.
    cache: Option<PathBuf>,
    memory: OnceLock<Memory>,
    pub(crate) machine: OnceLock<Machine>,
    /// Hashes of maps by number, with the version of the map: most loops share a few.
    pub(crate) maps: FxHashMap<usize, (u32, Key)>,
    known: FxHashMap<LoopKey, usize>,
    pub(crate) choices: Vec<Choice>,
}

/// The state of the choice for a loop.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The index of the loop's statistics; `None` once a later choice has made this one obsolete.
    pub(crate) stats: Option<usize>,
    pub(crate) state: State,
    pub(crate) how: How,
    pub(crate) note: Option<String>,
    /// The trials of a choice that is settled, in this run or an earlier one.
    pub(crate) trials: Vec<Trial>,
}

#[derive(Debug)]
pub(crate) enum State {
    Settled(Pin),
    Measuring(Box<Measuring>),
}

/// Trials that are not over.
#[derive(Debug)]
pub(crate) struct Measuring {
    pub(crate) trials: Trials,
    /// For each candidate whether its plan is ready, and whether it was built for these trials.
    pub(crate) plans: Vec<Ready>,
    pub(crate) about: Fingerprint,
}

/// The state of a candidate's plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ready {
    Not,
    /// It was there before.
    Found,
    /// It was built for the trials and is dropped if it loses.
    Built,
}

impl Chooser {
    /// No decisions yet; `cache` is the cache folder that the program named.
    pub(crate) fn new(cache: Option<PathBuf>) -> Self {
        let (memory, machine) = (OnceLock::new(), OnceLock::new());
        Chooser { cache, memory, machine, maps: FxHashMap::default(), known: FxHashMap::default(), choices: Vec::new() }
    }

    /// Forgets decisions that hold for an old numbering of elements.
    pub(crate) fn renumbered(&mut self) {
        self.maps.clear();
        self.known.clear();
        self.choices.iter_mut().for_each(|choice| choice.stats = None);
    }

    pub(crate) fn memory(&self) -> &Memory {
        self.memory.get_or_init(|| Memory::below(self.cache.as_deref()))
    }

    pub(crate) fn find(&self, key: &LoopKey) -> Option<usize> {
        self.known.get(key).copied()
    }

    pub(crate) fn insert(&mut self, key: LoopKey, choice: Choice) -> usize {
        let choices = &mut self.choices;
        self.known.retain(|old, n| {
            // The loop has other data, or is to run by other instructions than before.
            let stays = !key.plan.outdates(&old.plan) && (key.desc, &key.plan) != (old.desc, &old.plan);
            if !stays {
                choices[*n].stats = None;
            }
            stays
        });
        self.choices.push(choice);
        self.known.insert(key, self.choices.len() - 1);
        self.choices.len() - 1
    }
}

impl Choice {
    pub(crate) fn settled(stats: usize, pin: Pin, how: How, trials: Vec<Trial>) -> Self {
        let note = (how == How::Remembered).then(|| "remembered".to_owned());
        Choice { stats: Some(stats), state: State::Settled(pin), how, note, trials }
    }

    /// The decision as it is reported.
    pub(crate) fn tell(&self, kernel: &str, location: &str, set: &str) -> Decision {
        let (pin, trials) = match &self.state {
            State::Settled(pin) => (*pin, self.trials.clone()),
            State::Measuring(open) => (open.trials.pin(open.trials.best()), open.trials.list().to_vec()),
        };
        Decision {
            kernel: kernel.to_owned(),
            location: location.to_owned(),
            set: set.to_owned(),
            strategy: pin.to_string(),
            how: self.how,
            note: self.note.clone(),
            trials,
        }
    }
}
