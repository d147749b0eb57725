//! Forms whose meaning depends on types. `parse` cannot write them out, `model` does, and no later stage sees them.

use super::{Block, Expr, LocalId, LoopId};

/// A form that `model` writes out in the other kinds of expressions.
#[derive(Debug, Clone)]
pub enum Sugar {
    /// `a.len()` of an array
    Len(Box<Expr>),
    /// `a.iter()`, `a.iter_mut()`: a reference to an array, which may itself be behind references.
    Borrow(bool, Box<Expr>),
    /// A value that is computed once and then taken apart, by a pattern or a loop. Only `let` of a single name has it.
    /// Where nothing can change the value, it is written in the place of the name.
    Held(Box<Expr>),
    /// A part of a value that a pattern takes apart: the part itself, or a reference to it if the value is a reference.
    Part(Box<Expr>, Part),
    /// What a loop over arrays takes from its `n`-th source in the current round.
    Item(LoopId, usize),
    /// A loop over arrays.
    Each(Each),
}

/// Which part of a value a pattern takes, of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Of a tuple of so many parts.
    Field {
        /// Which one.
        index: usize,
        /// How many the pattern has.
        of: usize,
    },
    /// Of an array of so many elements.
    Element {
        /// Which one.
        index: usize,
        /// How many the pattern has.
        of: usize,
    },
    /// Of an array of so many elements or more: the pattern has `..` before this one.
    FromEnd {
        /// Which one: 1 is the last.
        back: usize,
        /// How many the pattern has beside the `..`.
        of: usize,
    },
    /// Of an array of so many elements or more: the pattern has `..` after this one.
    FromStart {
        /// Which one.
        index: usize,
        /// How many the pattern has beside the `..`.
        of: usize,
    },
}

/// `for pat in items { … }`: rounds for the elements of one array or of several side by side, as many as the shortest
/// one has.
#[derive(Debug, Clone)]
pub struct Each {
    /// The loop's identity.
    pub id: LoopId,
    /// What counts the rounds.
    pub counter: LocalId,
    /// The arrays.
    pub sources: Vec<Source>,
    /// From the last element to the first.
    pub reversed: bool,
    /// The body; it begins with the declarations of what the pattern binds.
    pub body: Block,
}

/// An array that a loop runs over.
#[derive(Debug, Clone)]
pub struct Source {
    /// The array or a reference to it, a local that was declared before the loop.
    pub array: Expr,
    /// `.copied()`: elements instead of references to them.
    pub copied: bool,
}
