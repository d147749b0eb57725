//! How plans cut loops into blocks.

use serde::Serialize;

/// How a loop is cut into blocks and coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Hierarchical colouring: contiguous ranges of the loop's own order, coloured as wholes.
    /// Neighbouring elements stay together, so what one loads the next finds in the cache.
    Blocks {
        /// Elements of a block; the last one may be shorter.
        size: usize,
    },
    /// Global colouring: single elements are coloured, those of one colour stand together, cut into
    /// chunks. It finds parallelism on every mesh, at the price of locality.
    Elements {
        /// Elements of a chunk; the last one of each colour may be shorter.
        chunk: usize,
    },
    /// Scatter arrays: every contribution has its own place, and each target adds up its contributions in the end.
    Scatter {
        /// Elements of a block; the last one may be shorter.
        size: usize,
    },
    /// Overlapped tiles: blocks add to private copies of the targets that they share.
    Tiles {
        /// Elements of a tile; the last one may be shorter.
        size: usize,
    },
    /// Owner computes: a block runs all elements that contribute to a target of its own, and adds to no other.
    Owner {
        /// Elements of a block before those of its neighbours join; the last one may have fewer.
        size: usize,
    },
}

impl Scheme {
    /// Elements of a block.
    pub const fn size(self) -> usize {
        match self {
            Scheme::Elements { chunk: size }
            | Scheme::Blocks { size }
            | Scheme::Scatter { size }
            | Scheme::Tiles { size }
            | Scheme::Owner { size } => size,
        }
    }

    /// Whether contributions are redirected rather than coloured.
    pub const fn redirects(self) -> bool {
        matches!(self, Scheme::Scatter { .. } | Scheme::Tiles { .. } | Scheme::Owner { .. })
    }
}
