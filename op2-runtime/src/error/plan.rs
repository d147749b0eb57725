//! Errors of building a plan, and the faults that the verifier finds in one.

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
        "argument {arg}: what it modifies cannot be redirected, as contributions (`inc`, `min`, `max`, `or`) can: \
         use blocks or colours"
    )]
    Turns {
        /// Position of the argument.
        arg: usize,
    },
    /// The number of copies exceeds 32-bit numbers.
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
    /// An element reaches a target twice, so the result would be undefined.
    #[error(
        "element {element} reaches target {target} twice, by arguments {first} and {second}, and one of them is `write` or `rw`: \
         which of the two values stays is undefined; remove the repeated map entry, or use `inc`, `min`, `max` or `or`"
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

/// A violation of what a plan guarantees.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The plan and the loop have different numbers of elements.
    #[error("the plan has {positions} positions, the loop has {elements} elements")]
    Length {
        /// Positions that blocks or order cover.
        positions: usize,
        /// Elements of the loop.
        elements: usize,
    },
    /// Block or colour offsets do not rise from 0 to their end.
    #[error("{what} offset {index} is {value}, expected {expected}")]
    Offset {
        /// `block` or `colour`.
        what: &'static str,
        /// Index of the offset.
        index: usize,
        /// The value found.
        value: usize,
        /// The expected value.
        expected: String,
    },
    /// A block has no colour, or several.
    #[error("block {block} is in {times} colours, expected 1")]
    BlockColours {
        /// The block.
        block: usize,
        /// How many colours list it.
        times: usize,
    },
    /// An element does not run as often as the loop lists it.
    #[error("element {element} is run {times} times, expected {expected}")]
    Element {
        /// The element.
        element: usize,
        /// How often the plan runs it.
        times: usize,
        /// How often the loop lists it.
        expected: usize,
    },
    /// Two blocks of one colour share a target.
    #[error(
        "blocks {first_block} and {second_block} have colour {colour} and share target {target} of dat {dat} \
         (elements {first} and {second}, the latter by argument {arg})"
    )]
    SharedTarget {
        /// The colour of both.
        colour: usize,
        /// The block that reached the target first.
        first_block: usize,
        /// The block that reached it later.
        second_block: usize,
        /// Element of the first block.
        first: usize,
        /// Element of the second block.
        second: usize,
        /// Position of the argument by which the second element reaches the target.
        arg: usize,
        /// Identity of the dat.
        dat: u32,
        /// The target.
        target: usize,
    },
    /// Two elements of one block and one element colour share a target.
    #[error(
        "elements {first} and {second} of block {block} have element colour {colour} and share target {target} of dat {dat}"
    )]
    SharedInBlock {
        /// The block.
        block: usize,
        /// The element colour of both.
        colour: u32,
        /// The element that reached the target first.
        first: usize,
        /// The element that reached it later.
        second: usize,
        /// Identity of the dat.
        dat: u32,
        /// The target.
        target: usize,
    },
    /// The colour of an element exceeds the number of colours of its block.
    #[error("element {element} of block {block} has element colour {colour}, expected one of 0..{count}")]
    ElementColour {
        /// The block.
        block: usize,
        /// The element.
        element: usize,
        /// Its colour.
        colour: u32,
        /// The number of colours that the block declares.
        count: u32,
    },
    /// A plan redirects contributions, but not those of this argument.
    #[error("the plan redirects contributions, but not those of argument {arg}")]
    NotRedirected {
        /// Position of the argument.
        arg: usize,
    },
    /// A contribution is added never or more than once.
    #[error(
        "the contribution of element {element} by entry {entry} of argument {arg} arrives {times} times, expected 1"
    )]
    Contribution {
        /// The element.
        element: usize,
        /// Position of the argument.
        arg: usize,
        /// Entry among those that the argument uses.
        entry: usize,
        /// How often it is added.
        times: usize,
    },
    /// A contribution has a destination that it must not have.
    #[error("a contribution of block {block} to target {target} {what}")]
    Destination {
        /// The block.
        block: usize,
        /// The target.
        target: usize,
        /// The fault.
        what: String,
    },
    /// Copies are summed wrongly.
    #[error("the sums are wrong: {what}")]
    Sums {
        /// The fault.
        what: String,
    },
    /// Runs do not cover their block, or a straight run has contributions to redirect.
    #[error("positions {start}..{end} of block {block} are no run of it")]
    Run {
        /// The block.
        block: usize,
        /// First position.
        start: usize,
        /// One past the last position.
        end: usize,
    },
}
