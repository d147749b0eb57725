//! Errors of building a plan.

/// The reason why the inspector refuses a loop. Arguments are identified by their position in the loop; the caller
/// translates positions to names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The requested blocks have no elements.
    #[error("a block of 0 elements was asked for, expected at least 1")]
    EmptyBlock,
    /// The system lacks the memory for the tables of the plan.
    #[error(
        "no memory for its plan: it takes {bytes} bytes or more, which the system does not have; use larger blocks, or run where \
         there is more memory"
    )]
    NoMemory {
        /// Bytes that it takes at least.
        bytes: u128,
    },
    /// The number of elements exceeds 32-bit positions.
    #[error("the loop has {elements} elements, at most {} are possible: positions are 32 bits wide", u32::MAX)]
    TooLarge {
        /// Elements of the loop.
        elements: usize,
    },
    /// Contributions should be redirected, but an argument modifies its targets in another way.
    #[error(
        "argument {arg}: what it modifies cannot be redirected, as `inc`, `min` and `max` through maps can: \
         use blocks or colours"
    )]
    Turns {
        /// Position of the argument.
        arg: usize,
    },
    /// The number of copies exceeds 32-bit places.
    #[error("the loop would need {copies} copies of targets, more than 32 bits can say: use larger blocks, or colours")]
    TooManyCopies {
        /// Copies or contributions.
        copies: usize,
    },
    /// An argument uses entries that its map does not have.
    #[error(
        "argument {arg}: the map has arity {arity}, found entries {start}..{end} (valid: a non-empty part of 0..{arity})"
    )]
    Entries {
        /// Position of the argument.
        arg: usize,
        /// Arity of the map.
        arity: usize,
        /// First entry used.
        start: usize,
        /// One past the last entry used.
        end: usize,
    },
    /// A map or a dat has no row for an element.
    #[error("argument {arg}: there are {rows} rows, found element {element} (valid: 0..{rows})")]
    Row {
        /// Position of the argument.
        arg: usize,
        /// The element.
        element: usize,
        /// Rows of the map, or targets of a direct argument.
        rows: usize,
    },
    /// A map entry exceeds the targets.
    #[error("argument {arg}: entry {entry} of element {element} is {target} (valid: 0..{targets})")]
    Target {
        /// Position of the argument.
        arg: usize,
        /// The element.
        element: usize,
        /// Entry of the map.
        entry: usize,
        /// The target found.
        target: usize,
        /// Elements of the set that the map leads to.
        targets: usize,
    },
    /// An element would leave an undefined value.
    #[error(
        "element {element} reaches target {target} twice, by arguments {first} and {second}, and one of them is `write` or `rw`: \
         which of the two values stays is undefined; remove the repeated map entry, or use `inc`, `min` or `max`"
    )]
    Collision {
        /// Element of the loop.
        element: usize,
        /// The target reached twice.
        target: usize,
        /// Position of one argument.
        first: usize,
        /// Position of the other; the same one if an argument over all entries reaches a target twice.
        second: usize,
    },
    /// The shape is not the one that the plan was built from.
    #[error("the plan is for {expected} elements, found a loop over {found}: pass the loop that it was built from")]
    OtherLoop {
        /// Elements of the plan.
        expected: usize,
        /// Elements of the loop.
        found: usize,
    },
}
