//! The log: what is decided and built is told when it happens, through the crate `log`. The texts of all events stand here.
//!
//! Every event belongs to work that is done once. The way of a call whose plan is cached asks for no logger.

use super::{LoopStats, OrderingRow};
use crate::decide::{Choice, How, State, Trial};
use crate::device::Outcome;
use crate::plan::Plan;
use std::fmt;

const ORDER: &str = "op2::order";
const PLAN: &str = "op2::plan";
const CHOICE: &str = "op2::choice";
const DEVICE: &str = "op2::device";

/// A part of the mesh was ordered, or was not although that would have paid.
pub(crate) fn ordered(row: &OrderingRow) {
    let level = if row.note.is_some() { ::log::Level::Warn } else { ::log::Level::Info };
    ::log::log!(target: ORDER, level, "{row}");
}

/// A plan was built for a loop.
pub(crate) fn planned(stats: &LoopStats, plan: &Plan, seconds: f64) {
    ::log::debug!(
        target: PLAN,
        "{}: plan {}, {}, in {}",
        Loop(stats), plan.scheme(), Parts(plan.blocks(), plan.colours()), Milliseconds(seconds),
    );
}

/// A loop was prepared for a device.
pub(crate) fn prepared(stats: &LoopStats, device: &str, outcome: &Outcome, seconds: f64) {
    let Outcome { strategy, note, blocks, colours, .. } = outcome;
    ::log::debug!(
        target: DEVICE,
        "{}: prepared for {device}, {strategy}, {}, in {}{}",
        Loop(stats), Parts(*blocks, *colours), Milliseconds(seconds), Remark(note.as_deref()),
    );
}

/// A loop follows a strategy that needed no choice among candidates. What was pinned and cannot be had is a warning.
pub(crate) fn followed(stats: &LoopStats, how: How) {
    let (strategy, _) = stats.plan_now();
    match stats.note.as_deref() {
        Some(note) if how == How::Pinned => {
            ::log::warn!(target: CHOICE, "{}: {strategy}, not as asked for: {note}", Loop(stats));
        }
        note => ::log::info!(target: CHOICE, "{}: {strategy}, {how}{}", Loop(stats), Remark(note)),
    }
}

/// The choice of a loop began, or was settled.
pub(crate) fn chose(stats: &LoopStats, choice: &Choice) {
    match (&choice.state, choice.how) {
        (State::Measuring(open), _) => {
            ::log::debug!(target: CHOICE, "{}: measures {}", Loop(stats), Names(open.trials.list()));
        }
        // Its strategy is the prediction, whose plan is not yet known.
        (State::Settled(_), How::Predicted) => {
            let why = "its elements share no targets, or it is too short";
            ::log::info!(target: CHOICE, "{}: predicted, not measured: {why}", Loop(stats));
        }
        (State::Settled(strategy), how) => {
            let note = choice.note.as_deref().filter(|_| how != How::Remembered);
            let trials = Trials(&choice.trials);
            ::log::info!(target: CHOICE, "{}: {strategy}, {how}{}{trials}", Loop(stats), Remark(note));
        }
    }
}

/// A choice was made, and cannot be kept on disk.
pub(crate) fn forgets(stats: &LoopStats, reason: &str) {
    ::log::warn!(target: CHOICE, "{}: the choice is not remembered: {reason}", Loop(stats));
}

/// A candidate that was to be measured does not fit into the memory of the device.
pub(crate) fn lacks_memory(stats: &LoopStats, candidate: &str, reason: &dyn fmt::Display) {
    ::log::warn!(target: CHOICE, "{}: goes on without `{candidate}`: {reason}", Loop(stats));
}

/// The host runs a loop in another number of contribution stages than before.
pub(super) fn in_stages(stats: &LoopStats) {
    match (&stats.fewer, stats.stages.0) {
        (Some(why), _) => ::log::warn!(target: CHOICE, "{}: {why}", Loop(stats)),
        (None, 0) => {}
        (None, stages) => ::log::info!(target: CHOICE, "{}: {} and updates", Loop(stats), counted(stages, "stage")),
    }
}

/// A loop runs element by element on the host. Nobody need have asked for lanes: they are the default.
pub(super) fn one_at_a_time(stats: &LoopStats, why: &str) {
    ::log::info!(target: CHOICE, "{}: {why}", Loop(stats));
}

struct Loop<'a>(&'a LoopStats);

impl fmt::Display for Loop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoopStats { name, location, set, .. } = self.0;
        write!(f, "loop `{name}` over `{set}` ({location})")
    }
}

/// Blocks and colours.
struct Parts(usize, usize);

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", counted(self.0, "block"), counted(self.1, "colour"))
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

struct Milliseconds(f64);

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ms", self.0 * 1e3)
    }
}

/// A remark behind an event.
struct Remark<'a>(Option<&'a str>);

impl fmt::Display for Remark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |text| write!(f, "; {text}"))
    }
}

/// The strategies of candidates.
struct Names<'a>(&'a [Trial]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|trial| trial.strategy.as_str()).collect();
        f.write_str(&names.join(", "))
    }
}

/// The times of candidates.
struct Trials<'a>(&'a [Trial]);

impl fmt::Display for Trials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = |n| if n == 0 { ";" } else { "," };
        let mut all = self.0.iter().enumerate();
        all.try_for_each(|(n, trial)| write!(f, "{} {} ({trial})", between(n), trial.strategy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reorder::Ordering;
    use std::sync::Mutex;

    /// The rest is tested with loops, in the crate `op2`.
    #[test]
    fn an_order_that_cannot_be_had_is_a_warning() {
        static SEEN: Mutex<Vec<(::log::Level, String)>> = Mutex::new(Vec::new());
        struct Capture;
        impl ::log::Log for Capture {
            fn enabled(&self, event: &::log::Metadata<'_>) -> bool {
                event.target() == ORDER
            }

            fn log(&self, event: &::log::Record<'_>) {
                SEEN.lock().expect("no panic").push((event.level(), event.args().to_string()));
            }

            fn flush(&self) {}
        }
        ::log::set_logger(&Capture).expect("no other test takes events");
        ::log::set_max_level(::log::LevelFilter::Info);
        let kept = OrderingRow {
            map: "ends".to_owned(),
            ordering: Ordering::None,
            scattered_before: 0.5,
            scattered_after: 0.5,
            saved_ms: 0.0,
            note: None,
        };
        let refused = OrderingRow { note: Some("no memory".to_owned()), ..kept.clone() };
        for (row, level) in [(kept, ::log::Level::Info), (refused, ::log::Level::Warn)] {
            ordered(&row);
            let events = std::mem::take(&mut *SEEN.lock().expect("no panic"));
            assert!(events.contains(&(level, row.to_string())), "{events:?}");
        }
    }
}
