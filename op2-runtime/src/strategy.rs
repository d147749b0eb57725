//! How races between elements of a loop are resolved.

mod overrides;
mod scheme;

pub use overrides::{NoStrategies, Strategies};
pub use scheme::Scheme;
use std::fmt;
use std::str::FromStr;

/// Race resolution of a loop; the sequential executor needs none.
///
/// Different strategies add contributions in different orders, so they agree to rounding only. All but
/// those with atomics are deterministic: results are bit-identical from run to run and for every
/// number of threads. [`Strategy::Auto`] is as deterministic as what it settles on, from the run on that
/// finds its decision on disk.
///
/// On devices a block of elements is a thread block of up to 1024 threads. A strategy that a loop cannot
/// follow falls to another one, and the [report](crate::Report) says so. The strategies that only
/// devices have are refused elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Chosen from figures alone, never from a clock: a run repeats bit for bit. On the CPU they are those of plans, on devices those
    /// of the data that blocks reach, and what the compiler says of registers: coloured blocks, at once or in stages.
    #[default]
    Predicted,
    /// Hierarchical colouring: blocks of `size` consecutive elements, blocks of one colour run at
    /// the same time, elements of a block one after the other. On devices the elements of a block take turns by
    /// colour, on data staged in shared memory.
    Blocks {
        /// Elements per block.
        size: usize,
    },
    /// Global colouring: elements of one colour run at the same time, in chunks.
    Colours {
        /// Elements that one task takes.
        chunk: usize,
    },
    /// Devices only: all elements run at once and combine by atomics. Not deterministic.
    Atomics {
        /// Threads per block.
        block: usize,
    },
    /// Devices only: elements combine inside their block as with [`Strategy::Blocks`], blocks by atomics, where
    /// several of them touch a target. Not deterministic.
    BlockAtomics {
        /// Elements per block.
        block: usize,
    },
    /// Contributions are written to an array of their own, then gathered for each target in the order of the
    /// elements. On threads the result is that of the sequential executor to the last bit.
    Scatter {
        /// Elements per block.
        block: usize,
    },
    /// Overlapped tiles: blocks of elements add to private copies of the targets that they share with other blocks,
    /// and a second pass adds the copies, in the order of the blocks. After King and Kirby, A scalable, efficient
    /// scheme for evaluation of stencil computations over unstructured meshes (SC'13), section 4.
    Tiles {
        /// Elements per tile.
        size: usize,
    },
    /// Owner computes: every target belongs to one block of elements, which runs all elements that contribute to
    /// it; elements at the borders run in several blocks. No colours, no atomics, no copies. On threads the result is
    /// that of the sequential executor to the last bit. A loop that modifies anything else than what it reaches
    /// through maps runs in [`Strategy::Tiles`] instead, because an element must not do that twice.
    Owner {
        /// Elements per block, those of neighbours not counted.
        size: usize,
    },
    /// As [`Strategy::Blocks`], in stages: the kernel's contributions are computed in `stages` steps, each of which
    /// stages in fast memory only the data that it needs, then added to one dat after the other. So larger blocks fit. What
    /// one stage leaves for another is kept for each element. Results are those of [`Strategy::Blocks`] to the last bit
    /// where the order of additions is the same. After Tohid et al., Effective resource-driven loop splitting for large
    /// unstructured mesh applications on GPUs, section 4.
    ///
    /// On threads each block goes through all stages, over a small buffer, and results are always those of
    /// [`Strategy::Blocks`] to the last bit. The sequential executor takes `size` elements at a time, and leaves the bits that
    /// it leaves without stages.
    ///
    /// On the CPU stages are there to be checked, not to be fast: the same loop takes longer in stages than at once.
    Split {
        /// Elements per block.
        size: usize,
        /// Stages that compute contributions, at least 1.
        stages: usize,
    },
    /// Devices only: as [`Strategy::Atomics`], in contribution stages as with [`Strategy::Split`], so that what is read is
    /// staged. A contribution is added by atomics in the stage that completes it, and not kept. Not deterministic.
    SplitAtomics {
        /// Elements per block.
        block: usize,
        /// Stages that compute contributions, at least 1.
        stages: usize,
    },
    /// Devices only: as [`Strategy::BlockAtomics`], in stages as with [`Strategy::Split`]. Not deterministic.
    SplitBlockAtomics {
        /// Elements per block.
        block: usize,
        /// Stages that compute contributions, at least 1.
        stages: usize,
    },
    /// The first executions of the loop measure the plausible strategies, each by real executions, and the fastest
    /// stays. The trials cost about ten executions of it at most: that is what their plans take, and what their
    /// executions take longer than the fastest. The decision is kept [on disk](crate::Config::cache_dir) for this
    /// machine, loop and mesh: a run that finds one makes no trials, and repeats bit for bit.
    /// [`Op2::decisions`](crate::Op2::decisions) tells what was decided and why.
    Auto,
}

impl Strategy {
    /// The scheme of plans that it pins; none where the plan is to be predicted.
    pub(crate) fn scheme(self) -> Option<Scheme> {
        match self {
            Strategy::Blocks { size } | Strategy::Split { size, .. } => Some(Scheme::Blocks { size }),
            Strategy::Colours { chunk } => Some(Scheme::Elements { chunk }),
            Strategy::Scatter { block } => Some(Scheme::Scatter { size: block }),
            Strategy::Tiles { size } => Some(Scheme::Tiles { size }),
            Strategy::Owner { size } => Some(Scheme::Owner { size }),
            Strategy::Predicted | Strategy::Auto => None,
            Strategy::Atomics { .. } | Strategy::BlockAtomics { .. } => None,
            Strategy::SplitAtomics { .. } | Strategy::SplitBlockAtomics { .. } => None,
        }
    }

    /// The size of its blocks, if it states one.
    pub(crate) fn block(self) -> Option<usize> {
        match self {
            Strategy::Predicted | Strategy::Auto => None,
            Strategy::Blocks { size } | Strategy::Tiles { size } | Strategy::Owner { size } => Some(size),
            Strategy::Split { size, .. } => Some(size),
            Strategy::Colours { chunk } => Some(chunk),
            Strategy::Atomics { block } | Strategy::BlockAtomics { block } | Strategy::Scatter { block } => Some(block),
            Strategy::SplitAtomics { block, .. } | Strategy::SplitBlockAtomics { block, .. } => Some(block),
        }
    }

    /// In how many stages contributions are computed, if the loop runs in stages.
    pub(crate) fn stages(self) -> Option<usize> {
        match self {
            Strategy::Split { stages, .. }
            | Strategy::SplitAtomics { stages, .. }
            | Strategy::SplitBlockAtomics { stages, .. } => Some(stages),
            _ => None,
        }
    }

    /// The same strategy, all at once.
    pub(crate) fn fused(self) -> Self {
        match self {
            Strategy::Split { size, .. } => Strategy::Blocks { size },
            Strategy::SplitAtomics { block, .. } => Strategy::Atomics { block },
            Strategy::SplitBlockAtomics { block, .. } => Strategy::BlockAtomics { block },
            other => other,
        }
    }

    /// Whether only devices have it.
    pub(crate) fn needs_device(self) -> bool {
        match self {
            Strategy::Atomics { .. } | Strategy::BlockAtomics { .. } => true,
            Strategy::SplitAtomics { .. } | Strategy::SplitBlockAtomics { .. } => true,
            Strategy::Predicted | Strategy::Auto | Strategy::Split { .. } => false,
            Strategy::Blocks { .. } | Strategy::Colours { .. } | Strategy::Scatter { .. } => false,
            Strategy::Tiles { .. } | Strategy::Owner { .. } => false,
        }
    }

    /// Whether a block would hold no element, or there would be no stage.
    pub(crate) fn is_empty(self) -> bool {
        self.block() == Some(0) || self.stages() == Some(0)
    }
}

impl From<Scheme> for Strategy {
    /// The strategy that pins plans to a scheme.
    fn from(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Blocks { size } => Strategy::Blocks { size },
            Scheme::Elements { chunk } => Strategy::Colours { chunk },
            Scheme::Scatter { size } => Strategy::Scatter { block: size },
            Scheme::Tiles { size } => Strategy::Tiles { size },
            Scheme::Owner { size } => Strategy::Owner { size },
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Predicted => f.write_str("predicted"),
            Strategy::Auto => f.write_str("auto"),
            Strategy::Blocks { size } => write!(f, "blocks:{size}"),
            Strategy::Colours { chunk } => write!(f, "colours:{chunk}"),
            Strategy::Atomics { block } => write!(f, "atomics:{block}"),
            Strategy::BlockAtomics { block } => write!(f, "block-atomics:{block}"),
            Strategy::Scatter { block } => write!(f, "scatter:{block}"),
            Strategy::Split { size, stages } => write!(f, "split:{size}:{stages}"),
            Strategy::SplitAtomics { block, stages } => write!(f, "split-atomics:{block}:{stages}"),
            Strategy::SplitBlockAtomics { block, stages } => write!(f, "split-block-atomics:{block}:{stages}"),
            Strategy::Tiles { size } => write!(f, "tiles:{size}"),
            Strategy::Owner { size } => write!(f, "owner:{size}"),
        }
    }
}

/// Why a text is no strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no strategy: expected `predicted`, `auto`, or one of `blocks`, `colours`, `atomics`, `block-atomics`, `scatter`, \
     `tiles` and `owner` with a block size of at least 1, as in `blocks:256`, or `split`, `split-atomics` and `split-block-atomics` \
     with a block size and a number of stages, as in `split:256:2`"
)]
pub struct NoStrategy {
    text: String,
}

impl FromStr for Strategy {
    type Err = NoStrategy;

    /// `predicted`, `auto`, `blocks:256`, `colours:256`, `atomics:256`, `block-atomics:256`, `scatter:256`, `tiles:4096`,
    /// `owner:4096`, `split:256:2`, `split-atomics:256:2`, `split-block-atomics:256:2`.
    fn from_str(text: &str) -> Result<Self, NoStrategy> {
        let refused = || NoStrategy { text: text.to_owned() };
        match text {
            "predicted" => return Ok(Strategy::Predicted),
            "auto" => return Ok(Strategy::Auto),
            _ => {}
        }
        let (name, size) = text.split_once(':').ok_or_else(refused)?;
        let number = |text: &str| text.parse().ok().filter(|&n: &usize| n > 0).ok_or_else(refused);
        if let Some((size, stages)) = size.split_once(':') {
            let (size, stages) = (number(size)?, number(stages)?);
            return match name {
                "split" => Ok(Strategy::Split { size, stages }),
                "split-atomics" => Ok(Strategy::SplitAtomics { block: size, stages }),
                "split-block-atomics" => Ok(Strategy::SplitBlockAtomics { block: size, stages }),
                _ => Err(refused()),
            };
        }
        let size = number(size)?;
        match name {
            "blocks" => Ok(Strategy::Blocks { size }),
            "colours" => Ok(Strategy::Colours { chunk: size }),
            "atomics" => Ok(Strategy::Atomics { block: size }),
            "block-atomics" => Ok(Strategy::BlockAtomics { block: size }),
            "scatter" => Ok(Strategy::Scatter { block: size }),
            "tiles" => Ok(Strategy::Tiles { size }),
            "owner" => Ok(Strategy::Owner { size }),
            _ => Err(refused()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_read_as_they_are_written() {
        let all = ["predicted", "auto", "blocks:1", "colours:2", "atomics:3", "block-atomics:64", "scatter:5"];
        let more = ["tiles:4096", "owner:77", "split:128:2", "split-atomics:7:1", "split-block-atomics:64:3"];
        for text in all.into_iter().chain(more) {
            assert_eq!(text.parse::<Strategy>().map(|s| s.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("block-atomics:64".parse(), Ok(Strategy::BlockAtomics { block: 64 }));
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
