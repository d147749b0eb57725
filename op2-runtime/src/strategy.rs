//! How races between elements of a loop are resolved.

use crate::plan::Scheme;
use std::fmt;
use std::str::FromStr;

/// Race resolution of a loop; the sequential executor needs none.
///
/// Different strategies add contributions in different orders, so they agree to rounding only. All but
/// the two with atomics are deterministic: results are bit-identical from run to run and for every
/// number of threads.
///
/// On devices a block of elements is a thread block of up to 1024 threads. A strategy that a loop cannot
/// follow there falls to another one, and the [report](crate::Report) says so. The strategies that only
/// devices have are [`Strategy::Predicted`] elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Chosen from the figures of the mesh alone, never from a clock: a run repeats bit for bit.
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
    /// Devices only: contributions are written to an array of their own, then gathered for each target in
    /// the order of the elements.
    Scatter {
        /// Threads per block.
        block: usize,
    },
}

impl Strategy {
    /// The scheme that the strategy pins on threads, if it pins one.
    pub(crate) fn scheme(self) -> Option<Scheme> {
        match self {
            Strategy::Blocks { size } => Some(Scheme::Blocks { size }),
            Strategy::Colours { chunk } => Some(Scheme::Elements { chunk }),
            _ => None,
        }
    }

    /// The size of its blocks, if it states one.
    pub(crate) fn block(self) -> Option<usize> {
        match self {
            Strategy::Predicted => None,
            Strategy::Blocks { size } => Some(size),
            Strategy::Colours { chunk } => Some(chunk),
            Strategy::Atomics { block } | Strategy::BlockAtomics { block } | Strategy::Scatter { block } => Some(block),
        }
    }

    /// Whether a block would hold no element.
    pub(crate) fn is_empty(self) -> bool {
        self.block() == Some(0)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Predicted => f.write_str("predicted"),
            Strategy::Blocks { size } => write!(f, "blocks of {size}"),
            Strategy::Colours { chunk } => write!(f, "colours in chunks of {chunk}"),
            Strategy::Atomics { block } => write!(f, "atomics in blocks of {block}"),
            Strategy::BlockAtomics { block } => write!(f, "atomics between blocks of {block}"),
            Strategy::Scatter { block } => write!(f, "scattered in blocks of {block}"),
        }
    }
}

/// Why a text is no strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no strategy: expected `predicted`, or one of `blocks`, `colours`, `atomics`, `block-atomics` and `scatter` \
     with a block size of at least 1, as in `blocks:256`"
)]
pub struct NoStrategy {
    text: String,
}

impl FromStr for Strategy {
    type Err = NoStrategy;

    /// `predicted`, `blocks:256`, `colours:256`, `atomics:256`, `block-atomics:256`, `scatter:256`.
    fn from_str(text: &str) -> Result<Self, NoStrategy> {
        let refused = || NoStrategy { text: text.to_owned() };
        if text == "predicted" {
            return Ok(Strategy::Predicted);
        }
        let (name, size) = text.split_once(':').ok_or_else(refused)?;
        let size = size.parse().ok().filter(|&n: &usize| n > 0).ok_or_else(refused)?;
        match name {
            "blocks" => Ok(Strategy::Blocks { size }),
            "colours" => Ok(Strategy::Colours { chunk: size }),
            "atomics" => Ok(Strategy::Atomics { block: size }),
            "block-atomics" => Ok(Strategy::BlockAtomics { block: size }),
            "scatter" => Ok(Strategy::Scatter { block: size }),
            _ => Err(refused()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_read() {
        assert_eq!("predicted".parse(), Ok(Strategy::Predicted));
        assert_eq!("block-atomics:64".parse(), Ok(Strategy::BlockAtomics { block: 64 }));
        for text in ["", "blocks", "blocks:0", "blocks:-1", "blocks:many", "tiles:4", "predicted:4"] {
            let error = text.parse::<Strategy>().expect_err("no strategy");
            assert!(error.to_string().starts_with(&format!("`{text}` is no strategy")), "{error}");
        }
    }
}
