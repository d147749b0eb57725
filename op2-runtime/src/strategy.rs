//! How races between elements of a loop are resolved.

mod overrides;
mod pin;

pub use op2_core::{Reads, Resolution, Scheme};
pub use overrides::{NoStrategies, Strategies};
pub use pin::{NoPin, Pin};
use std::fmt;
use std::str::FromStr;

/// Race resolution of a loop; the sequential executor needs none.
///
/// Different strategies add contributions in different orders, so they agree to rounding only. All but
/// those with atomics are deterministic: results are bit-identical from run to run and for every
/// number of threads. Once a run finds the decision of [`Strategy::Auto`] on disk, it is as deterministic as the
/// strategy chosen.
///
/// On devices a block of elements is a thread block of up to 1024 threads. A loop that cannot follow a strategy falls
/// back to another one, and the [report](crate::Report) says so. On the CPU, strategies that only devices have are
/// errors.
///
/// ```
/// use op2_runtime::Strategy;
/// assert_eq!("tiles:4096".parse(), Ok(Strategy::tiles(4096)));
/// assert_eq!(Strategy::split(256, 2).to_string(), "split:256:2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Predicted without measuring, so that a run repeats bit for bit. On the CPU it is coloured blocks, and depends on properties of
    /// plans. On devices it is one of all strategies but those with atomics, at once or in stages, and depends on the data that blocks
    /// reach, on the GPU, and on the registers that its compiler reports. The emulator stands for an H200: it asks NVRTC for registers where
    /// there is one, and else guesses them from the operands of the kernel.
    #[default]
    Predicted,
    /// The first executions of the loop each try a plausible strategy, and the fastest one stays. The trials cost at
    /// most about ten executions of the fastest strategy, counting the time for their plans and the time by which they
    /// are slower. The decision is kept [on disk](crate::Config::cache_dir) for this machine, loop and mesh. A run that
    /// finds one makes no trials, and repeats bit for bit. [`Op2::decisions`](crate::Op2::decisions) lists the
    /// decisions and their reasons.
    Auto,
    /// This scheme; the functions below construct all of them.
    Pinned(Scheme),
}

impl Strategy {
    /// Hierarchical colouring: blocks of `size` consecutive elements, blocks of one colour run at
    /// the same time, elements of a block one after the other. On devices the elements of a block take turns by
    /// colour, on data staged in shared memory.
    pub const fn blocks(size: usize) -> Self {
        Strategy::Pinned(Scheme::blocks(size))
    }

    /// Global colouring: elements of one colour run at the same time, in chunks of `chunk` elements, one for each task.
    pub const fn colours(chunk: usize) -> Self {
        Strategy::Pinned(Scheme::colours(chunk))
    }

    /// Devices only: all elements run at once, in blocks of `block` threads, and combine by atomics. Not deterministic.
    pub const fn atomics(block: usize) -> Self {
        Strategy::Pinned(Scheme::new(Resolution::Atomics, block))
    }

    /// Devices only: elements combine inside their block as with [`Strategy::blocks`]; targets that several blocks
    /// touch are combined by atomics. Not deterministic.
    pub const fn block_atomics(block: usize) -> Self {
        Strategy::Pinned(Scheme::new(Resolution::BlockAtomics, block))
    }

    /// Contributions are written to an array of their own, then gathered for each target in the order of the
    /// elements. On threads the result is that of the sequential executor to the last bit.
    pub const fn scatter(block: usize) -> Self {
        Strategy::Pinned(Scheme::scatter(block))
    }

    /// Overlapped tiles: blocks of elements add to private copies of the targets that they share with other blocks,
    /// and a second pass adds the copies, in the order of the blocks. After King and Kirby, A scalable, efficient
    /// scheme for evaluation of stencil computations over unstructured meshes (SC'13), section 4.
    pub const fn tiles(size: usize) -> Self {
        Strategy::Pinned(Scheme::tiles(size))
    }

    /// Owner computes: every target belongs to one block, which runs all elements that contribute to it, at most `size` unless one
    /// target alone has more; elements at the borders run in several blocks. No colours, no atomics, no copies. On threads the result is
    /// that of the sequential executor to the last bit. A loop that modifies dats directly or reduces into globals runs
    /// in [`Strategy::tiles`] instead, because elements at the borders would do that twice.
    pub const fn owner(size: usize) -> Self {
        Strategy::Pinned(Scheme::owner(size))
    }

    /// Devices only: a thread runs all elements that contribute to a target and keeps the contributions to this one, in the order of the
    /// elements, in blocks of `block` threads. Threads share nothing and never wait for each other, but an element runs once for each of
    /// its targets. Loops that change anything else than dats through the same entries of maps, and those whose entries may be missing, are scattered
    /// instead.
    pub const fn targets(block: usize) -> Self {
        Strategy::Pinned(Scheme::targets(block))
    }

    /// As [`Strategy::blocks`], in stages: the kernel's contributions are computed in `stages` steps, each of which
    /// stages only the data that it needs in fast memory, and then added to one dat after the other. This makes room
    /// for larger blocks. The values that one stage leaves for another are kept for each element. Results are those of
    /// [`Strategy::blocks`] to the last bit where the order of additions is the same. After Tohid et al., Effective
    /// resource-driven loop splitting for large unstructured mesh applications on GPUs, section 4.
    ///
    /// On threads each block goes through all stages, over a small buffer, and results are always those of
    /// [`Strategy::blocks`] to the last bit. The sequential executor takes `size` elements at a time, and its results
    /// are those without stages to the last bit.
    ///
    /// On the CPU stages serve to test the split loops: a loop takes longer in stages than at once.
    pub const fn split(size: usize, stages: usize) -> Self {
        Strategy::Pinned(Scheme::blocks(size).in_stages(stages))
    }

    /// Devices only: as [`Strategy::atomics`], in contribution stages as with [`Strategy::split`], so that the data
    /// read are staged. The stage that completes a contribution adds it by atomics. Not deterministic.
    pub const fn split_atomics(block: usize, stages: usize) -> Self {
        Strategy::Pinned(Scheme::new(Resolution::Atomics, block).in_stages(stages))
    }

    /// Devices only: as [`Strategy::block_atomics`], in stages as with [`Strategy::split`]. Not deterministic.
    pub const fn split_block_atomics(block: usize, stages: usize) -> Self {
        Strategy::Pinned(Scheme::new(Resolution::BlockAtomics, block).in_stages(stages))
    }

    /// Devices only: the same with the targets of maps read so. Strategies that are not pinned stay as they are.
    pub const fn reading(self, reads: Reads) -> Self {
        match self {
            Strategy::Pinned(scheme) => Strategy::Pinned(scheme.reading(reads)),
            Strategy::Predicted | Strategy::Auto => self,
        }
    }

    /// The pinned scheme; `None` if the scheme is predicted or measured.
    pub const fn scheme(self) -> Option<Scheme> {
        match self {
            Strategy::Pinned(scheme) => Some(scheme),
            Strategy::Predicted | Strategy::Auto => None,
        }
    }

    /// The scheme of the plan on the host; `None` if the plan is predicted or the strategy belongs to devices.
    pub(crate) fn host_plan(self) -> Option<Scheme> {
        self.scheme().filter(|_| !self.needs_device()).map(Scheme::plan)
    }

    /// Whether results repeat to the last bit. Those of atomics do not, nor those of [`Strategy::Auto`] while it
    /// measures.
    pub const fn is_deterministic(self) -> bool {
        match self {
            Strategy::Predicted => true,
            Strategy::Auto => false,
            Strategy::Pinned(scheme) => scheme.resolution.is_deterministic(),
        }
    }

    /// Whether only devices have this strategy.
    pub const fn needs_device(self) -> bool {
        matches!(self, Strategy::Pinned(scheme) if !scheme.resolution.runs_on_host() || scheme.reads.is_some())
    }
}

impl From<Scheme> for Strategy {
    /// The strategy that pins plans to a scheme.
    fn from(scheme: Scheme) -> Self {
        Strategy::Pinned(scheme)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Predicted => f.write_str("predicted"),
            Strategy::Auto => f.write_str("auto"),
            Strategy::Pinned(scheme) => scheme.fmt(f),
        }
    }
}

/// The error for a text that names no strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no strategy: expected `predicted`, `auto`, or one of {whole} with a block size of at least 1, as in `blocks:256`, or \
     {staged} with a block size and a number of stages, as in `split:256:2`; on devices, how blocks read the targets of maps may \
     follow, as in `owner:256:gathered`: `staged` or `gathered`",
    whole = listed(|resolution| Some(resolution.name())),
    staged = listed(Resolution::name_in_stages),
)]
pub struct NoStrategy {
    text: String,
}

/// The names of resolutions as part of a sentence.
fn listed(name: fn(Resolution) -> Option<&'static str>) -> String {
    let names: Vec<String> = Resolution::ALL.into_iter().filter_map(name).map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl FromStr for Strategy {
    type Err = NoStrategy;

    /// `predicted`, `auto`, `blocks:256`, `colours:256`, `atomics:256`, `block-atomics:256`, `scatter:256`, `tiles:4096`,
    /// `owner:4096`, `targets:256`, `split:256:2`, `split-atomics:256:2`, `split-block-atomics:256:2`; behind it `:staged` or `:gathered`.
    fn from_str(text: &str) -> Result<Self, NoStrategy> {
        match text {
            "predicted" => Ok(Strategy::Predicted),
            "auto" => Ok(Strategy::Auto),
            _ => Scheme::read(text).map(Strategy::Pinned).ok_or_else(|| NoStrategy { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_read_as_they_are_written() {
        let all = ["predicted", "auto", "blocks:1", "colours:2", "atomics:3", "block-atomics:64", "scatter:5"];
        let more =
            ["tiles:4096", "owner:77", "targets:64", "split:128:2", "split-atomics:7:1", "split-block-atomics:64:3"];
        for text in all.into_iter().chain(more) {
            assert_eq!(text.parse::<Strategy>().map(|s| s.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("block-atomics:64".parse(), Ok(Strategy::block_atomics(64)));
        for text in [
            "",
            "blocks",
            "blocks:0",
            "blocks:-1",
            "blocks:many",
            "tile:4",
            "predicted:4",
            "auto:1",
            "split:4",
            "split:4:0",
            "blocks:4:2",
        ] {
            let error = text.parse::<Strategy>().expect_err("no strategy");
            assert!(error.to_string().starts_with(&format!("`{text}` is no strategy")), "{error}");
        }
    }
}
