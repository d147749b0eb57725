//! Errors of texts, and faults of threads.

use std::fmt;

pub(crate) type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Error {
    /// A text that cannot be read, with its line.
    #[error("line {line} of the PTX: {what}")]
    Text { line: u32, what: String },
    /// A thread did something wrong.
    #[error("kernel `{kernel}`, line {line} of the PTX, {thread}: {fault}")]
    Fault { kernel: String, line: u32, thread: Thread, fault: Fault },
}

impl Error {
    pub(crate) fn text(line: u32, what: impl Into<String>) -> Self {
        Error::Text { line, what: what.into() }
    }
}

/// A thread, by the numbers of its block and inside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) block: u32,
    pub(crate) thread: u32,
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}, thread {}", self.block, self.thread)
    }
}

/// The memory of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Shared,
    Local,
    Param,
    Const,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "parameter",
            Space::Const => "constant",
        })
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{bytes} bytes at {address:#x} are in no allocation")]
    Nowhere { address: u64, bytes: usize },
    #[error("{bytes} bytes at {offset} of {space} memory of {size} bytes")]
    Outside { space: Space, offset: u64, bytes: usize, size: usize },
    #[error("{bytes} bytes at {address:#x}, which is no multiple of {bytes}")]
    Unaligned { address: u64, bytes: usize },
    #[error("reads {bytes} bytes at {offset} of shared memory, which no thread of the block has written")]
    Unwritten { offset: u64, bytes: usize },
    #[error(
        "{access} {bytes} bytes at {offset} of {space} memory, which {other} {before} without a barrier in between"
    )]
    Race { space: Space, offset: u64, bytes: usize, access: &'static str, before: &'static str, other: Thread },
    #[error("reads {bytes} bytes at {offset} as constant (`.nc`), which {other} writes in this launch")]
    NotConstant { offset: u64, bytes: usize, other: Thread },
    #[error("waits at a barrier, and thread {other} {why}")]
    Divergent { other: u32, why: String },
    #[error("exchanges values with lane {lane}, which {why}")]
    Lane { lane: u32, why: String },
    #[error("traps")]
    Trap,
    #[error("has run {0} instructions: it seems never to end")]
    Endless(u64),
}
