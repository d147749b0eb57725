//! The inspector's view of a loop: plain slices, no handles, so that plans can be built and tested without a mesh
//! around them.

use crate::data::place::leads;
use op2_core::Access;

/// The elements that a loop runs over.
#[derive(Debug, Clone, Copy)]
pub enum Elements<'a> {
    /// All elements `0..n` of a set.
    All(usize),
    /// All elements of a set that a partitioner cut into pieces: the offsets of the pieces, and the end of the last.
    /// Blocks consist of whole pieces, as far as their size allows.
    Pieces(&'a [u32]),
    /// The listed elements, distinct, in the order in which the sequential executor runs them.
    Subset(&'a [u32]),
}

/// One use of a dat by a loop, as the inspector sees it.
#[derive(Debug, Clone)]
pub struct Touch<'a> {
    /// Position of the argument in the loop, for messages.
    pub arg: usize,
    /// Identity of the dat: touches of one dat conflict with each other.
    pub dat: u32,
    /// Elements of the set that the dat lives on.
    pub targets: usize,
    /// Bytes of one element of the dat.
    pub bytes: usize,
    /// Access mode.
    pub access: Access,
    /// The map that leads to the dat: `None` for a direct argument.
    pub through: Option<Through<'a>>,
    /// Whether no two elements reach a common target by the map, whatever it holds.
    pub own: bool,
}

/// Stands for an entry of a map that is missing.
pub use crate::data::place::MISSING;

/// A map and the entries of it that an argument uses.
#[derive(Debug, Clone)]
pub struct Through<'a> {
    /// Identity of the map: its bytes are counted once per distinct entry used.
    pub map: u32,
    /// All entries, row-major, `entries[e * arity + i]`, each below [`Touch::targets`] or [`MISSING`].
    pub entries: &'a [u32],
    /// Entries per element; of rows of any length, those of the longest.
    pub arity: usize,
    /// Of rows of any length: row `e` is `entries[offsets[e]..offsets[e + 1]]`, used as a whole.
    pub offsets: Option<&'a [u32]>,
    /// The entries that are used: one index, or all of `0..arity`.
    pub used: std::ops::Range<usize>,
}

/// A loop as the inspector sees it. Absent optional arguments are not in the list.
#[derive(Debug, Clone)]
pub struct LoopShape<'a> {
    /// The elements that the loop runs over.
    pub elements: Elements<'a>,
    /// The loop's dat arguments.
    pub touches: Vec<Touch<'a>>,
}

impl Elements<'_> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Elements::All(n) => *n,
            Elements::Pieces(offsets) => offsets.last().map_or(0, |&n| n as usize),
            Elements::Subset(list) => list.len(),
        }
    }

    /// Whether the loop has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `k`-th element of the loop.
    #[inline]
    pub fn get(&self, k: usize) -> usize {
        match self {
            Elements::All(_) | Elements::Pieces(_) => k,
            Elements::Subset(list) => list[k] as usize,
        }
    }
}

impl Touch<'_> {
    /// The targets of element `e`, each with the number of its entry among the used ones; directly the element itself.
    #[inline]
    pub fn targets_of(&self, e: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let itself = self.through.is_none().then_some((0, e as u32));
        itself.into_iter().chain(self.through.iter().flat_map(move |through| through.targets_of(e)))
    }

    /// Whether elements may share its targets, as far as is known without a look at the map.
    pub fn is_shared(&self) -> bool {
        self.through.is_some() && !self.own
    }

    /// The entries that it uses, of the longest row where they differ; directly, 1.
    pub fn width(&self) -> usize {
        self.through.as_ref().map_or(1, |through| through.used.len())
    }
}

impl<'a> Through<'a> {
    /// The entries of element `e`, one per used entry.
    #[inline]
    pub fn entries_of(&self, e: usize) -> &'a [u32] {
        match self.offsets {
            None => &self.entries[e * self.arity..][self.used.clone()],
            Some(offsets) => &self.entries[offsets[e] as usize..offsets[e + 1] as usize],
        }
    }

    /// The number of elements that have a row.
    pub fn rows(&self) -> usize {
        match self.offsets {
            None => self.entries.len().checked_div(self.arity).unwrap_or(0),
            Some(offsets) => offsets.len().saturating_sub(1),
        }
    }

    /// Bytes of the used entries of the loop's elements, and of what tells where rows of any length are.
    pub fn bytes_of(&self, elements: Elements<'_>) -> usize {
        let entries = match self.offsets {
            None => elements.len() * self.used.len(),
            Some(_) => (0..elements.len()).map(|k| self.entries_of(elements.get(k)).len() + 1).sum(),
        };
        entries * size_of::<u32>()
    }

    /// The targets of element `e`, each with the number of its entry among the used ones. Missing entries have none.
    #[inline]
    pub fn targets_of(&self, e: usize) -> impl Iterator<Item = (usize, u32)> + 'a {
        self.entries_of(e).iter().copied().enumerate().filter(|(_, target)| leads(*target))
    }
}
