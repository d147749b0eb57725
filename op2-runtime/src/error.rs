//! Everything that can go wrong at declaration and at a call.

pub(crate) mod plan;
pub(crate) mod reorder;

use crate::strategy::NoStrategies;
use op2_core::Access;
use plan::{PlanError, Violation};
use reorder::ReorderError;
use std::fmt;

/// Result with op2's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: every variant names the place, the value and what was expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A set larger than an index can say.
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
    /// A map entry that leads nowhere.
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
    /// A subset that names an element twice or one that does not exist.
    #[error("subset `{subset}`: entry {position} is {value}, {reason}")]
    SubsetEntry {
        /// Name of the subset.
        subset: String,
        /// Position in the list.
        position: usize,
        /// The value found.
        value: String,
        /// Why it cannot stand there.
        reason: String,
    },
    /// A handle of another `Op2`.
    #[error("{what} belongs to another mesh: it was declared by a different `Op2` than the one used here")]
    OtherMesh {
        /// The kind of handle.
        what: &'static str,
    },
    /// Memory for the user's data, or for what is made of them, is not there.
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
        cause: NoStrategies,
    },
    /// Instructions that the processor does not have, or a name that none have.
    #[error("{origin}{reason}")]
    Isa {
        /// Where the name comes from, if it is not the program.
        origin: String,
        /// Its fault.
        reason: String,
    },
    /// A strategy that only devices have, where loops run on the processor.
    #[error(
        "strategy `{strategy}` of {origin} runs on devices only, found backend `{backend}`: use `predicted`, `auto`, `blocks`, \
         `colours`, `scatter`, `tiles`, `owner` or `split` there, or a backend for devices"
    )]
    DeviceStrategy {
        /// The strategy, with the kernel that it was named for, if it was.
        strategy: String,
        /// Who asked for it.
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
    /// A run-time constant set twice to different values.
    #[error(
        "constant `{name}` is {old} already and cannot become {new}: run-time constants are set once, before the first loop that uses them"
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
    /// A device that cannot be had, or that failed outside of a loop.
    #[error(transparent)]
    Device(#[from] op2_device::Error),
    /// A loop that cannot run.
    #[error(transparent)]
    Loop(Box<LoopError>),
}

/// A loop that cannot run: nothing was changed, but by [`Fault::Panic`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
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
         give the loop a second dat, or split it in two"
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
    },
    /// Two arguments name what they share in the same words, and mean two things: a macro made one of the variables,
    /// or an expression has another value each time.
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
    /// An element reaches one target twice and would leave an undefined value.
    #[error(
        "element {element} reaches element {target} of dat `{dat}` twice as `{access}` (also by argument {other}): \
         which of the two values stays is undefined; remove the repeated map entry, or use `inc`, `min` or `max`"
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
    /// The device failed; what the host knows of the data is as it was.
    #[error("{0}")]
    Device(op2_device::Error),
    /// The kernel did what it panics for on a CPU, in code that has checks. Dats that the loop modifies are partly updated.
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
