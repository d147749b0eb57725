//! Times of executions on a device. A GPU runs asynchronously, and a mark in its work costs it time and keeps launches from being started
//! together. So only some executions are timed, and the report extrapolates.

use op2_device::{Device, Mark, Result};

/// The first executions of every loop that are timed.
const FIRST: u32 = 4;
/// Then all loops are timed for `WINDOW` of `PERIOD` executions of loops.
const PERIOD: u64 = 4096;
const WINDOW: u64 = 64;
/// The number of unknown times at which they are asked for.
const MANY: usize = 256;
/// The most executions that are timed and not over.
const MOST: usize = 2048;

/// Executions whose time is not known yet.
#[derive(Default)]
pub(super) struct Timings {
    marked: Vec<Timing>,
    /// How often each loop was timed, by the number of its statistics.
    timed: Vec<u32>,
    executions: u64,
}

/// One execution of a loop: the number of its statistics, and the marks around it.
struct Timing {
    stats: usize,
    from: Mark,
    to: Mark,
}

impl Timings {
    /// Whether to time the next execution of a loop.
    pub(super) fn is_due(&mut self, stats: usize, emulated: bool) -> bool {
        let in_window = self.executions % PERIOD < WINDOW;
        self.executions += 1;
        if self.timed.len() <= stats {
            self.timed.resize(stats + 1, 0);
        }
        // The emulator's marks cost nothing.
        let due = emulated || in_window || self.timed[stats] < FIRST;
        due && self.marked.len() < MOST
    }

    /// Keeps the marks around an execution.
    pub(super) fn keep(&mut self, stats: usize, from: Mark, to: Mark) {
        self.timed[stats] += 1;
        self.marked.push(Timing { stats, from, to });
    }

    /// Whether enough times are unknown to ask for them.
    pub(super) fn are_many(&self) -> bool {
        self.marked.len() >= MANY
    }

    /// The seconds of executions, each with the number of its statistics; waits for them.
    pub(super) fn seconds(&self, device: &dyn Device) -> impl Iterator<Item = Result<(usize, f64)>> {
        self.marked.iter().map(move |Timing { stats, from, to }| Ok((*stats, device.seconds(from, to)?)))
    }

    /// Hands over the seconds of those that are over.
    pub(super) fn take_over(&mut self, device: &dyn Device, mut to: impl FnMut(usize, f64)) -> Result<()> {
        let mut over = 0;
        // They end one after the other.
        for Timing { stats, from, to: later } in &self.marked {
            let Some(seconds) = device.seconds_if_over(from, later)? else { break };
            to(*stats, seconds);
            over += 1;
        }
        self.marked.drain(..over);
        Ok(())
    }

    /// Forgets all executions.
    pub(super) fn restart(&mut self) {
        *self = Timings::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loop_is_timed_at_first_and_all_loops_now_and_then() {
        let mut timings = Timings::default();
        let mut due = |stats: usize| {
            let due = timings.is_due(stats, false);
            if due {
                let mark = Mark::new(());
                timings.keep(stats, mark.clone(), mark);
            }
            due
        };
        let often: Vec<bool> = (0..PERIOD).map(|_| due(0)).collect();
        assert_eq!(often.iter().filter(|due| **due).count() as u64, WINDOW);
        assert!(often[..WINDOW as usize].iter().all(|due| *due), "at first");
        assert!((0..WINDOW).all(|_| due(1)), "another window");
        assert_eq!([(); 6].map(|()| due(2)), [true, true, true, true, false, false]);
        assert!(!due(0) && !due(1));
        assert!(timings.is_due(0, true), "the emulator always");
    }
}
