//! A module as instructions, whose names are numbers.

use crate::arith::{Convert, Function};
use crate::error::{Error, Space};
use crate::order::Order;
use crate::text::Head;
use crate::types::{Lanes, Type};
use std::collections::HashMap;
use std::sync::OnceLock;

/// All functions of a module.
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) names: Names,
    pub(crate) functions: Vec<Routine>,
    /// Bytes of the variables in shared memory that the text sizes.
    pub(crate) shared: usize,
    /// The module's variables.
    pub(crate) variables: Vec<Global>,
}

/// Where the variables of a module are, and which number a function has.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) variables: HashMap<String, (Space, u64)>,
    pub(crate) functions: HashMap<String, usize>,
}

/// A variable of a module: its address, and the bytes that it holds at first.
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
}

/// A function, whose instructions are made when it first runs: of the kernels of a module, few do.
pub(crate) struct Routine {
    pub(crate) head: Head,
    pub(crate) local_bytes: usize,
    pub(crate) code: OnceLock<Result<Code, Error>>,
}

pub(crate) struct Code {
    /// Where each parameter lies in the memory of a call's parameters, and its size.
    pub(crate) params: Vec<(usize, usize)>,
    pub(crate) results: Vec<(usize, usize)>,
    /// Bytes of parameters, those of calls among them.
    pub(crate) param_bytes: usize,
    pub(crate) local_bytes: usize,
    pub(crate) registers: usize,
    pub(crate) constants: Vec<Lanes>,
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
    /// Among the constants of the function.
    Constant(u32),
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
    /// Makes a value of several, each of which has so many bits.
    Pack {
        to: Target,
        parts: Vec<Operand>,
        bits: u32,
    },
    /// Makes several values of one.
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
    /// One after the other on the values of a vector, of which each has two operands.
    Atomic {
        to: Option<Target>,
        at: Values,
        function: Atomic,
        operands: Vec<[Operand; 2]>,
    },
    /// Copies bytes to shared memory until they are waited for; those behind a number of them are 0.
    Copy {
        to: Place,
        from: Place,
        bytes: usize,
        most: Option<Operand>,
    },
    /// Closes a group of copies.
    Commit,
    /// Waits for all copies but those of the last so many groups; all, without a number.
    Arrive(Option<u32>),
    /// Orders accesses of the thread: acquires, and releases.
    Fence([bool; 2]),
    /// Waits for the end of the launch before.
    Wait,
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
    Of(fn(u64, u64, u64) -> u64),
    Exchange,
    CompareAndSwap,
}
