//! How calls on devices choose their strategy: the same trials, timed by the device.
//!
//! The time to prepare a candidate does not count: its variant is compiled along with all others, and the compiled code
//! is kept on disk.

use super::device::device_shape;
use super::run::{Attempt, Decided};
use super::state::CallState;
use crate::decide::trials::Trials;
use crate::decide::{Choice, How, LoopKey, Measuring, State};
use crate::error::{Error, Fault, Result};
use crate::plan::key::PlanKey;
use crate::plan::key::Wanted;
use crate::report::log;
use crate::strategy::{Pin, Scheme, Strategy};

/// The candidates for every loop. The first one is the prediction.
const CANDIDATES: [Strategy; 8] = [
    Strategy::Predicted,
    Strategy::block_atomics(128),
    Strategy::tiles(128),
    Strategy::blocks(256),
    Strategy::atomics(128),
    Strategy::owner(96),
    Strategy::targets(128),
    Strategy::scatter(128),
];
/// Where the loop's most promising forms in stages, with atomics and with colours, are inserted.
const IN_STAGES: usize = 3;

impl CallState<'_> {
    /// The decision under [`Strategy::Auto`] on a device. If it is a trial, tell [`CallState::tried_on_device`] or
    /// [`CallState::failed_on_device`] its outcome.
    pub(super) fn chosen_on_device(&mut self) -> Result<Decided> {
        let plan = self.key(Wanted::Device(Strategy::Auto));
        let key = LoopKey { desc: std::ptr::from_ref(self.desc).addr(), plan, isa: None };
        let choice = match self.context.chooser.find(&key) {
            Some(known) => known,
            None => {
                let new = self.consider_on_device(&key.plan)?;
                self.start_choice(key, new)
            }
        };
        Ok(match &self.context.chooser.choices[choice].state {
            State::Settled(pin) => Decided::on_device(pin.strategy, None),
            State::Measuring(open) => match open.trials.next() {
                Some(candidate) => {
                    Decided::on_device(open.trials.pin(candidate).strategy, Some(Attempt { choice, candidate }))
                }
                None => Decided::on_device(self.settle_on_device(choice), None),
            },
        })
    }

    /// Records the seconds of a trial.
    pub(super) fn tried_on_device(&mut self, attempt: Attempt, seconds: f64) {
        let Some(open) = self.measuring(attempt.choice) else { return };
        open.trials.ran(attempt.candidate, seconds);
        self.end_trials_on_device(attempt.choice);
    }

    /// A trial failed. A candidate for which the device lacks memory is dropped; this is safe because memory is
    /// allocated before any launch. Errors of the first candidate are errors of the loop, because it would run without
    /// trials too.
    ///
    /// # Errors
    /// Those of the first candidate, and all others but a want of memory.
    pub(super) fn failed_on_device(&mut self, attempt: Attempt, error: Error) -> Result<()> {
        match error {
            Error::Loop(error) if attempt.candidate > 0 && lacks_memory(&error.fault) => {
                let Some(open) = self.measuring(attempt.choice) else { return Ok(()) };
                let candidate = open.trials.pin(attempt.candidate).to_string();
                open.trials.refuse(attempt.candidate, error.fault.to_string());
                log::lacks_memory(self.stats(), &candidate, &error.fault);
                self.end_trials_on_device(attempt.choice);
                Ok(())
            }
            error => Err(error),
        }
    }

    fn end_trials_on_device(&mut self, choice: usize) {
        if self.measuring(choice).is_some_and(|open| open.trials.next().is_none()) {
            self.settle_on_device(choice);
        }
    }

    fn consider_on_device(&mut self, key: &PlanKey) -> Result<Choice> {
        let stats = self.stats_index();
        if device_shape(self.desc, self.inputs(key)).is_free() {
            return Ok(Choice::settled(stats, Pin::default(), How::Predicted, Vec::new()));
        }
        self.all_entries_arrive()?;
        let about = self.fingerprint(key, None);
        if let Some((pin, trials)) = self.context.chooser.memory().recall(&about) {
            return Ok(Choice::settled(stats, pin, How::Remembered, trials));
        }
        let mut candidates = CANDIDATES.to_vec();
        if let Some(blocks @ Scheme { size, stages: Some(stages), .. }) = self.in_stages(key)? {
            // Atomics first: they keep no values for updates, and no colour waits for another.
            let in_stages = [Strategy::split_atomics(size, stages), Strategy::Pinned(blocks)];
            candidates.splice(IN_STAGES..IN_STAGES, in_stages);
        }
        let candidates = candidates.into_iter().map(Pin::from).collect();
        let measuring = Measuring { trials: Trials::new(candidates), plans: Vec::new(), about };
        let state = State::Measuring(Box::new(measuring));
        Ok(Choice { stats: Some(stats), state, how: How::Measuring, note: None, trials: Vec::new() })
    }

    fn settle_on_device(&mut self, choice: usize) -> Strategy {
        let (pin, note) = self.close(choice);
        self.stats().noted(&note);
        pin.strategy
    }
}

fn lacks_memory(fault: &Fault) -> bool {
    matches!(fault, Fault::Device(op2_device::Error::OutOfMemory { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_no_want_of_memory() {
        let device = "emulator".to_owned();
        let memory = op2_device::Error::OutOfMemory { device, what: "a dat".to_owned(), bytes: 8, free: 0 };
        assert!(lacks_memory(&Fault::Device(memory)));
        assert!(!lacks_memory(&Fault::Device(op2_device::Error::Fault("two threads write one place".to_owned()))));
        let (kernel, device, reason) = ("flow".to_owned(), "emulator".to_owned(), "700".to_owned());
        assert!(!lacks_memory(&Fault::Device(op2_device::Error::Launch { kernel, device, reason })));
    }
}
