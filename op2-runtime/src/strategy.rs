//! How races between elements of a loop are resolved.

use crate::plan::Scheme;
use std::fmt;

/// Race resolution of a loop on the threads executor; the sequential executor needs none.
///
/// Each of them is deterministic: results are bit-identical for every number of threads. Different
/// strategies add contributions in different orders, so they agree to rounding only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Chosen from the figures of the mesh alone, never from a clock: a run repeats bit for bit.
    #[default]
    Predicted,
    /// Hierarchical colouring: blocks of `size` consecutive elements, blocks of one colour run at
    /// the same time, elements of a block one after the other.
    Blocks {
        /// Elements per block.
        size: usize,
    },
    /// Global colouring: elements of one colour run at the same time, in chunks.
    Colours {
        /// Elements that one task takes.
        chunk: usize,
    },
}

impl Strategy {
    /// The scheme that the strategy pins, if it pins one.
    pub(crate) fn scheme(self) -> Option<Scheme> {
        match self {
            Strategy::Predicted => None,
            Strategy::Blocks { size } => Some(Scheme::Blocks { size }),
            Strategy::Colours { chunk } => Some(Scheme::Elements { chunk }),
        }
    }

    /// Whether a block would hold no element.
    pub(crate) fn is_empty(self) -> bool {
        matches!(self, Strategy::Blocks { size: 0 } | Strategy::Colours { chunk: 0 })
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Predicted => f.write_str("predicted"),
            Strategy::Blocks { size } => write!(f, "blocks of {size}"),
            Strategy::Colours { chunk } => write!(f, "colours in chunks of {chunk}"),
        }
    }
}
