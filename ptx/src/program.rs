//! A module as instructions, whose names are numbers.

use crate::arith::{Convert, Function};
use crate::error::Space;
use crate::types::Type;

/// All functions of a module.
pub(crate) struct Program {
    pub(crate) functions: Vec<Code>,
    /// Bytes of the variables in shared memory that the text sizes.
    pub(crate) shared: usize,
    /// The allocations that hold the module's variables, by name.
    pub(crate) variables: Vec<(String, u64, usize)>,
}

pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) is_kernel: bool,
    pub(crate) most_threads: Option<usize>,
    /// Where each parameter lies in the memory of a call's parameters, and its size.
    pub(crate) params: Vec<(usize, usize)>,
    pub(crate) results: Vec<(usize, usize)>,
    /// Bytes of parameters, those of calls among them.
    pub(crate) param_bytes: usize,
    pub(crate) local_bytes: usize,
    pub(crate) registers: usize,
    pub(crate) instructions: Vec<Instruction>,
}

pub(crate) struct Instruction {
    pub(crate) line: u32,
    /// The register that must hold, or must not.
    pub(crate) guard: Option<(u32, bool)>,
    pub(crate) does: Does,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Register(u32),
    Value(u64),
}

/// A register that gets a value, of as many bits as the mask has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) register: u32,
    pub(crate) mask: u64,
}

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) base: Option<u32>,
    pub(crate) offset: u64,
}

/// Values in memory that an instruction accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    /// `None` for an address that tells the space itself.
    pub(crate) space: Option<Space>,
    pub(crate) ty: Type,
    pub(crate) place: Place,
    pub(crate) order: Order,
}

/// How an access is ordered with those of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By barriers alone.
    Plain,
    /// The memory does not change during the launch.
    Constant,
    /// At once: atomic, or volatile.
    AtOnce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Thread,
    Threads,
    Block,
    Blocks,
    Lane,
    Zero,
    One,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Down,
    Up,
    Butterfly,
    Index,
}

pub(crate) enum Does {
    Nothing,
    Compute {
        to: Target,
        function: Function,
        operands: [Operand; 3],
    },
    Convert {
        to: Target,
        how: Convert,
        from: Operand,
    },
    Special {
        to: Target,
        which: Special,
    },
    /// The address of a place in local memory or among parameters, which depends on the call.
    Frame {
        to: Target,
        space: Space,
        offset: u64,
    },
    /// Puts values of `bits` bits each side by side in one value.
    Pack {
        to: Target,
        parts: Vec<Operand>,
        bits: u32,
    },
    /// Takes one value apart into values of `bits` bits each.
    Unpack {
        to: Vec<Target>,
        from: Operand,
        bits: u32,
    },
    Load {
        to: Vec<Target>,
        from: Values,
    },
    Store {
        to: Values,
        from: Vec<Operand>,
    },
    Atomic {
        to: Option<Target>,
        at: Values,
        function: Atomic,
        operands: [Operand; 2],
    },
    Insert {
        to: Target,
        operands: [Operand; 4],
        bits: u32,
    },
    Branch(usize),
    Call {
        function: usize,
        results: Vec<usize>,
        params: Vec<usize>,
    },
    Return,
    Barrier,
    Shuffle {
        to: Target,
        valid: Option<u32>,
        how: Shuffle,
        operands: [Operand; 4],
    },
    /// All lanes of a mask wait for each other.
    Lanes(Operand),
    Trap,
}

/// The value that an atomic writes: a function of the old one and the operands.
#[derive(Clone, Copy)]
pub(crate) enum Atomic {
    Of(fn(u64, u64) -> u64),
    Exchange,
    CompareAndSwap,
}
