//! The errors of declarations and calls.

pub(crate) mod plan;
pub(crate) mod reorder;

use crate::strategy::NoStrategies;
use op2_core::Access;
use plan::{PlanError, Violation};
use reorder::ReorderError;
use std::fmt;

/// Result with op2's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of op2. Every variant names the object, the value found and the value expected.
///
/// `Debug` prints the message, as `Display` does, because that is how `fn main() -> op2::Result<()>` and `unwrap` show an error.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A set with more elements than an index can count.
    #[error("set `{set}` has {size} elements, at most {max} are possible: indices are 32 bits wide")]
    SetTooLarge {
        /// Name of the set.
        set: String,
        /// Size asked for.
        size: usize,
        /// Greatest size.
        max: usize,
    },
    /// Data with the wrong number of rows.
    #[error("{what} `{name}` got {found} rows, expected {expected}: one for each element of set `{set}`")]
    Rows {
        /// `map` or `dat`.
        what: &'static str,
        /// Its name.
        name: String,
        /// The set that it is declared on.
        set: String,
        /// Size of the set.
        expected: usize,
        /// Rows in the data.
        found: usize,
    },
    /// A buffer for the values of a dat with the wrong number of rows.
    #[error("the buffer for dat `{dat}` has {found} rows, expected {expected}: one for each element of set `{set}`")]
    Buffer {
        /// Name of the dat.
        dat: String,
        /// The set that it is declared on.
        set: String,
        /// Size of the set.
        expected: usize,
        /// Rows of the buffer.
        found: usize,
    },
    /// An element that a dat has no value for.
    #[error("dat `{dat}`: found element {element}, expected 0..{size}, an element of set `{set}`")]
    Element {
        /// Name of the dat.
        dat: String,
        /// The set that it is declared on.
        set: String,
        /// The element, as the user's type prints it.
        element: String,
        /// Size of the set.
        size: usize,
    },
    /// Flat data that does not fill its last row.
    #[error("{found} values do not divide into rows of {dim}: {rest} are left over")]
    Ragged {
        /// Values per row.
        dim: usize,
        /// Number of values.
        found: usize,
        /// Values beyond the last whole row.
        rest: usize,
    },
    /// A map entry that is no element of the target set.
    #[error("map `{map}`: entry {index} of element {element} is {value}, expected 0..{size}, an element of set `{to}`")]
    MapEntry {
        /// Name of the map.
        map: String,
        /// Element of the set that the map starts from.
        element: usize,
        /// Index inside the row.
        index: usize,
        /// The value found, as the user's type prints it.
        value: String,
        /// Name of the target set.
        to: String,
        /// Size of the target set.
        size: usize,
    },
    /// The start of a row of any length that does not fit those before it or the entries.
    #[error("map `{map}`: start {place} of its rows {reason}")]
    RowStart {
        /// Name of the map.
        map: String,
        /// Which start; the one behind the last element is the end.
        place: usize,
        /// The fault.
        reason: String,
    },
    /// A subset that names an element twice or one that does not exist.
    #[error("subset `{subset}`: entry {position} is {value}, {reason}")]
    SubsetEntry {
        /// Name of the subset.
        subset: String,
        /// Position in the list.
        position: usize,
        /// The value found.
        value: String,
        /// Why it is refused.
        reason: String,
    },
    /// Pairs whose rule or whose elements' places do not do.
    #[error("pairs `{pairs}`: {reason}")]
    Pairs {
        /// Name of the pairs.
        pairs: String,
        /// The fault, with the value found and the one expected.
        reason: String,
    },
    /// A dat on the right kind of set, but on another set of that kind.
    #[error(
        "dat `{dat}` lives on set `{found}`, expected set `{expected}`: both are of one kind; use the dat of that set"
    )]
    OtherSet {
        /// Name of the dat.
        dat: String,
        /// The set that it lives on.
        found: String,
        /// The set that it should live on.
        expected: String,
    },
    /// A map to the right kind of set, but to another set of that kind.
    #[error(
        "map `{map}` leads to set `{found}`, expected set `{expected}`: both are of one kind; use a map between the same two sets"
    )]
    OtherTarget {
        /// Name of the map.
        map: String,
        /// The set that it leads to.
        found: String,
        /// The set that it should lead to.
        expected: String,
    },
    /// An element that stays in its set and leads to one that should leave.
    #[error(
        "map `{map}`: entry {index} of element {element} leads to element {target}, which would leave set `{set}`: keep it, take out \
         what leads to it first, or declare a map whose entries may be missing"
    )]
    Kept {
        /// Name of the map.
        map: String,
        /// Element of the set that the map starts from.
        element: usize,
        /// Index inside the row.
        index: usize,
        /// The element that should leave.
        target: usize,
        /// Name of its set.
        set: String,
    },
    /// Rows that a call sets, but only growth does.
    #[error(
        "the rows of map `{map}` are those of the latest `grow`, and nothing else sets them: declare other rows by `decl_rows`"
    )]
    Children {
        /// Name of the map.
        map: String,
    },
    /// Rows that turn a map round.
    #[error("the rows of map `{map}` follow the map that they turn round, and nothing else sets them: change that map")]
    Inverse {
        /// Name of the rows.
        map: String,
    },
    /// Rows that growth does not fill.
    #[error(
        "map `{map}` has rows of its own, which `grow` cannot fill: declare the rows of new elements by `decl_children`"
    )]
    NotChildren {
        /// Name of the map.
        map: String,
    },
    /// An entry of a map that nobody has written.
    #[error("map `{map}`: element {element} of set `{set}`, {}", UNSET)]
    Unset {
        /// Name of the map.
        map: String,
        /// The first element without all of its entries.
        element: usize,
        /// The set that the map leads from.
        set: String,
    },
    /// Counts whose sum no index can reach.
    #[error("the counts of dat `{dat}` add up to {total}, at most {} are possible: indices are 32 bits wide", u32::MAX)]
    Total {
        /// Name of the dat.
        dat: String,
        /// The sum.
        total: u128,
    },
    /// A handle of another `Op2`.
    #[error("{what} belongs to another mesh: it was declared by a different `Op2` than the one used here")]
    OtherMesh {
        /// The kind of handle.
        what: &'static str,
    },
    /// The system lacks the memory for the user's data, or for data derived from them.
    #[error(
        "no memory for {what}: it takes {bytes} bytes, which the system does not have; declare fewer elements or smaller values, or \
         run where there is more memory"
    )]
    NoMemory {
        /// The use of the memory, with its name.
        what: String,
        /// Bytes that it takes.
        bytes: u128,
    },
    /// Executor threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// The system's reason.
        reason: String,
    },
    /// An environment variable that does not state strategies.
    #[error("environment variable `{variable}`: {cause}")]
    Strategies {
        /// Its name.
        variable: &'static str,
        /// The fault of its text.
        cause: Box<NoStrategies>,
    },
    /// Vector instructions that the processor lacks, or an unknown name.
    #[error("{origin}{reason}")]
    Isa {
        /// The source of the name, if it is not the program.
        origin: String,
        /// The fault.
        reason: String,
    },
    /// A strategy that only devices have, although loops run on the CPU.
    #[error(
        "strategy `{strategy}` of {origin} runs on devices only, found backend `{backend}`: use `predicted`, `auto`, `blocks`, \
         `colours`, `scatter`, `tiles`, `owner` or `split` there without `:staged` or `:gathered`, or a backend for devices"
    )]
    DeviceStrategy {
        /// The strategy, with the kernel that it was stated for, if any.
        strategy: String,
        /// The source that states it.
        origin: &'static str,
        /// Where loops run.
        backend: &'static str,
    },
    /// A block size, or a number of stages, of zero.
    #[error("strategy `{strategy}` has no elements per block or no stages, expected at least 1")]
    EmptyBlock {
        /// The strategy.
        strategy: String,
    },
    /// A run-time constant set twice to different values. A process has one value of each, whatever the number of its
    /// [`Op2`](crate::Op2)s.
    #[error(
        "constant `{name}` is {old} already and cannot become {new}: a run-time constant has one value per process, because code for \
         devices is compiled with it; for a value that changes, pass the kernel a global (`Op2::decl_global`, `gbl_read`), or start a \
         process for each value"
    )]
    ConstantChanged {
        /// Name of the constant.
        name: &'static str,
        /// Value it has.
        old: String,
        /// Value asked for.
        new: String,
    },
    /// A mesh that cannot be renumbered in the way that was asked for.
    #[error("cannot reorder the mesh: {0}")]
    Reorder(#[from] ReorderError),
    /// A device that is not available, or that failed outside of a loop.
    #[error(transparent)]
    Device(#[from] op2_device::Error),
    /// A loop that cannot run.
    #[error(transparent)]
    Loop(Box<LoopError>),
}

/// A loop that cannot run. It has changed nothing, except with [`Fault::Panic`]. `Debug` prints the message.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{site}: {fault}")]
pub struct LoopError {
    /// Which loop.
    pub site: Site,
    /// Why.
    pub fault: Fault,
}

/// Which loop an error speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Source file of the loop.
    pub file: &'static str,
    /// Line of the loop.
    pub line: u32,
    /// The argument, with its text, counted from 0.
    pub arg: Option<(usize, &'static str)>,
}

/// How entries come to be unset, and the cure.
const UNSET: &str = "which came by `grow`, has no entries yet: write the rows of all new elements first, by a loop with \
     `write(map, children[..])` or `write(map)`, or by `set_map`";

/// Why a loop cannot run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A handle of another `Op2`.
    #[error("the {what} belongs to another mesh: it was declared by a different `Op2` than the one that runs the loop")]
    OtherMesh {
        /// The kind of handle.
        what: &'static str,
    },
    /// A map or dat on the right kind of set, but on another set of that kind.
    #[error("{what} `{name}` {} set `{found}`, expected set `{expected}`: both are of one kind; use the {what} of that set",
        if *what == "map" { "starts from" } else { "lives on" })]
    OtherSet {
        /// `map` or `dat`.
        what: &'static str,
        /// Its name.
        name: String,
        /// The set it belongs to.
        found: String,
        /// The set that the loop or map needs.
        expected: String,
    },
    /// Index beyond the arity of a map.
    #[error("map `{map}` has arity {arity}, found index {index} (valid: 0..{arity})")]
    MapIndex {
        /// Name of the map.
        map: String,
        /// Its arity.
        arity: usize,
        /// The index used.
        index: usize,
    },
    /// One dat in two arguments whose accesses do not go together.
    #[error(
        "dat `{dat}` is `{access}` here and `{other_access}` in argument {other}: what one element writes another may read; \
         give the loop a second dat, or split it in two{why}"
    )]
    Aliased {
        /// Name of the dat.
        dat: String,
        /// Access of the argument.
        access: Access,
        /// The other argument.
        other: usize,
        /// Its access.
        other_access: Access,
        /// Where children are among the arguments, the ranges of elements that meet.
        why: String,
    },
    /// An entry of a map that nobody has written.
    #[error("the loop needs all entries of map `{map}`; element {element} of set `{set}`, {}", UNSET)]
    Unset {
        /// Name of the map.
        map: String,
        /// The first element without all of its entries.
        element: usize,
        /// The set that the map leads from.
        set: String,
    },
    /// Two arguments have the same text for a dat, map or index, but different values: a macro made one of the
    /// variables, or an expression gives another value each time.
    #[error(
        "its {what} is written as in argument {other} `{text}`, and is another one: bind the two to variables of two names"
    )]
    OneNameTwoHandles {
        /// A dat, a map, or an index into one.
        what: &'static str,
        /// The other argument.
        other: usize,
        /// The other argument as written.
        text: &'static str,
    },
    /// The kernel has indices of two sets of one kind.
    #[error(
        "the kernel has indices of kind `{kind}` from two sets, `{other}` and `{set}`: the element of one is none of the other; name one \
         set, or declare them with kinds of their own"
    )]
    TwoSets {
        /// The kind of set.
        kind: &'static str,
        /// One set.
        set: String,
        /// The other.
        other: String,
    },
    /// A map that the loop follows, and whose entries it writes behind another map.
    #[error(
        "`{access}` of map `{map}` reaches rows of other elements, and the loop follows this map: which entries it would follow is \
         undefined; write them in a loop of their own"
    )]
    Followed {
        /// Name of the map.
        map: String,
        /// Access of the argument.
        access: Access,
    },
    /// An element reaches one target twice, so the result would be undefined.
    #[error(
        "element {element} reaches element {target} of dat `{dat}` twice as `{access}` (also by argument {other}): \
         which of the two values stays is undefined; remove the repeated map entry, or use `inc`, `min`, `max` or `or`"
    )]
    Collision {
        /// Name of the dat.
        dat: String,
        /// Access of the argument.
        access: Access,
        /// The element of the loop.
        element: usize,
        /// The target reached twice.
        target: usize,
        /// The other argument.
        other: usize,
    },
    /// Anything else that the inspector refuses.
    #[error("{0}")]
    Inspector(PlanError),
    /// A plan that the independent verifier refuses: a bug of op2.
    #[error("the plan is wrong: {0}; this is a bug of op2, please report it with the mesh")]
    Plan(Violation),
    /// The device failed; the host's copy of the data is unchanged.
    #[error("{0}")]
    Device(op2_device::Error),
    /// With checks on, a kernel met a fault for which it panics on a CPU. The data that the loop modifies are partly
    /// updated.
    #[error(
        "element {element} {panic}: the kernel panics for it on a CPU, and what the loop modifies is partly updated; correct the kernel"
    )]
    Panic {
        /// The element of the loop.
        element: usize,
        /// The operation of the kernel.
        panic: op2_device::Panic,
    },
    /// A run-time constant without a value.
    #[error("the kernel uses constant `{constant}`, which has no value yet: call `{constant}.set(…)` before the loop")]
    ConstantUnset {
        /// Name of the constant.
        constant: &'static str,
    },
    /// One global in two arguments.
    #[error(
        "global `{global}` is also argument {other}: a loop can reduce into a global only once, and not read it meanwhile; \
         use a second global"
    )]
    AliasedGlobal {
        /// Name of the global.
        global: String,
        /// The other argument.
        other: usize,
    },
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop `{}` ({}:{})", self.kernel, self.file, self.line)?;
        match self.arg {
            Some((n, text)) => write!(f, ", argument {n} `{text}`"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for LoopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors that hold others, too.
    #[test]
    fn debug_prints_the_message() {
        let site = Site { kernel: "flux", file: "src/main.rs", line: 7, arg: Some((1, "read(q)")) };
        let refused = LoopError { site, fault: Fault::OtherMesh { what: "dat" } };
        assert_eq!(format!("{refused:?}"), refused.to_string());
        let row =
            |name: &str| Error::Rows { what: "dat", name: name.to_owned(), set: "s".to_owned(), expected: 3, found: 2 };
        let errors = [
            row("q"),
            Error::OtherMesh { what: "dat" },
            Error::EmptyBlock { strategy: "blocks:0".to_owned() },
            Error::Reorder(ReorderError::NoMap),
            Error::Device(op2_device::Error::Fault("two threads write one place".to_owned())),
            Error::Loop(Box::new(refused)),
        ];
        for error in errors {
            let message = error.to_string();
            assert_eq!(format!("{error:?}"), message);
            assert_eq!(format!("{error:#?}"), message);
            let boxed: Box<dyn std::error::Error> = error.into();
            assert_eq!(format!("{boxed:?}"), message);
        }
    }
}
