//! Errors of texts, and faults of threads.

use crate::marks::Other;
use crate::order::Once;
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

/// Where a thread reads or writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) space: Space,
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes at {} of {} memory", self.bytes, self.offset, self.space)
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Once { block, thread, .. } = self.once;
        write!(f, "{} {}", Thread { block, thread }, self.did)
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{bytes} bytes at {address:#x} are in no allocation")]
    Nowhere { address: u64, bytes: usize },
    #[error("{range}, which has {size}")]
    Outside { range: Range, size: usize },
    #[error("{bytes} bytes at {address:#x}, which is no multiple of {bytes}")]
    Unaligned { address: u64, bytes: usize },
    #[error("reads {range}, which nobody has written")]
    Unwritten { range: Range },
    #[error("reads {range}, to which `cp.async` copies until it is waited for")]
    Pending { range: Range },
    #[error("{access} {range}, which {other} and neither a barrier nor fences are in between")]
    Race { range: Range, access: &'static str, other: Other },
    #[error("reads {range} as constant (`.nc`), which block {}, thread {} writes in this launch", .other.block, .other.thread)]
    NotConstant { range: Range, other: Once },
    #[error("{access} {range}, which {other} in the launch before, without `griddepcontrol.wait` in between")]
    Early { range: Range, access: &'static str, other: Other },
    #[error("ends without `griddepcontrol.wait`, so that later launches may overtake those before")]
    NoWait,
    #[error("waits at a barrier, and thread {other} {why}")]
    Divergent { other: u32, why: String },
    #[error("exchanges values with lane {lane}, which {why}")]
    Lane { lane: u32, why: String },
    #[error("traps")]
    Trap,
    #[error("has run {0} instructions: it seems never to end")]
    Endless(u64),
    #[error("{0}")]
    Text(Box<Error>),
}
