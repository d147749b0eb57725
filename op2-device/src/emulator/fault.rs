//! Messages for faults.

use super::schedule::{NO_ELEMENT, State, Stuck};
use super::shadow::{Access, Wrong};
use super::who::Who;
use std::fmt;

/// The thread that caused a fault, and its element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Culprit {
    pub(super) block: u32,
    pub(super) thread: u32,
    pub(super) element: u32,
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Culprit { block, thread, element } = *self;
        if element == NO_ELEMENT {
            return write!(f, "thread {thread} of block {block}");
        }
        write!(f, "element {element} (block {block}, thread {thread})")
    }
}

/// A place in memory.
#[derive(Debug, Clone, Copy)]
pub(super) enum Data<'a> {
    /// This many bytes behind the start of a buffer.
    Buffer { what: &'a str, at: i64, granule: usize, bytes: usize },
    /// In shared memory.
    Shared { at: u64 },
    /// Neither near a buffer nor in shared memory.
    Address(u64),
}

impl Data<'_> {
    /// Bytes between an address and a buffer.
    pub(super) fn distance(&self) -> u64 {
        match *self {
            Data::Buffer { at, .. } if at < 0 => at.unsigned_abs(),
            Data::Buffer { at, bytes, .. } => (at as u64).saturating_sub(bytes as u64),
            Data::Shared { .. } => 0,
            Data::Address(_) => u64::MAX,
        }
    }
}

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Data::Buffer { what, at, .. } if at < 0 => write!(f, "{} bytes ahead of {what}", at.unsigned_abs()),
            Data::Buffer { what, at, granule, .. } => write!(f, "scalar {} of {what}", at as u64 / granule as u64),
            Data::Shared { at } => write!(f, "byte {at} of shared memory"),
            Data::Address(address) => write!(f, "address {address:#x}"),
        }
    }
}

/// The reason why an access is wrong.
#[derive(Debug, Clone, Copy)]
pub(super) enum Problem<'a> {
    Misaligned { data: Data<'a>, bytes: u64 },
    BeyondShared { at: u64, bytes: u64, shared: u64 },
    Outside { address: u64, bytes: u64, nearest: Option<Data<'a>> },
    Wrong { data: Data<'a>, wrong: Wrong },
}

/// The message for an access that must not happen.
pub(super) fn access(kernel: &str, culprit: Culprit, access: Access, problem: &Problem<'_>) -> String {
    let does = verb(access);
    let what = match *problem {
        Problem::Misaligned { data, bytes } => {
            format!("{culprit} {does} {bytes} bytes at {data}, which do not start at a multiple of {bytes}")
        }
        Problem::BeyondShared { at, bytes, shared } => {
            format!("{culprit} {does} {bytes} bytes at byte {at} of shared memory, of which the launch has {shared}")
        }
        Problem::Outside { address, bytes, nearest } => {
            format!("{culprit} {does} {bytes} bytes {}", outside(address, nearest))
        }
        Problem::Wrong { data: data @ Data::Shared { .. }, wrong: Wrong::Unwritten } => {
            format!("{culprit} {does} {data}, which no thread of the block has written")
        }
        Problem::Wrong { data, wrong: Wrong::Unwritten } => {
            format!("{culprit} {does} {data}, which nothing has written since it was allocated")
        }
        Problem::Wrong { data, wrong: Wrong::Race(other, theirs) } => race(data, culprit, access, other, theirs),
    };
    format!("kernel `{kernel}`: {what}")
}

fn verb(access: Access) -> &'static str {
    match access {
        Access::Read | Access::VolatileRead => "reads",
        Access::Write => "writes",
        Access::Atomic => "atomically changes",
    }
}

fn outside(address: u64, nearest: Option<Data<'_>>) -> String {
    match nearest {
        Some(data @ Data::Buffer { at, granule, bytes, .. }) if at >= 0 => {
            format!("at {data}, which has {} scalars", bytes / granule)
        }
        Some(data) => format!("that start {data}"),
        None if address < 1 << 16 => format!("at address {address:#x}, through a null pointer"),
        None => format!("at address {address:#x}, where no buffer is"),
    }
}

fn race(data: Data<'_>, culprit: Culprit, access: Access, other: Who, theirs: Access) -> String {
    let other = Culprit { block: other.block, thread: other.thread(), element: other.element };
    let order =
        if other.block == culprit.block { "without a barrier between them" } else { "and nothing orders two blocks" };
    if access == theirs {
        return format!("{other} and {culprit} both write {data}, {order}");
    }
    format!("{culprit} {} {data}, which {other} {}, {order}", verb(access), verb(theirs))
}

/// The message for threads that wait forever.
pub(super) fn stuck(
    kernel: &str,
    stuck: Stuck,
    culprit: impl Fn(u32) -> Culprit,
    state: impl Fn(u32) -> State,
) -> String {
    let instead = |thread| {
        let instead = match state(thread) {
            State::Ended => "has ended".into(),
            State::AtBarrier => "waits at a barrier".into(),
            State::AtShuffle { mask, .. } => format!("waits in a shuffle with mask {mask:#x}"),
            State::Fresh | State::Started => "runs".into(),
        };
        format!("{} {instead}", culprit(thread))
    };
    let what = match stuck {
        Stuck::OutOfMask { thread, mask } => {
            format!("{} is not in the mask {mask:#x} of its shuffle", culprit(thread))
        }
        Stuck::FromOutOfMask { thread, mask, lane } => format!(
            "{} takes the value of lane {lane}, which is not in the mask {mask:#x} of its shuffle",
            culprit(thread)
        ),
        Stuck::Shuffle { thread, mask, other } => {
            format!("{} waits in a shuffle with mask {mask:#x}, but {}", culprit(thread), instead(other))
        }
        Stuck::Barrier { thread, other } => {
            format!("{} waits at a barrier, but {}", culprit(thread), instead(other))
        }
    };
    format!("kernel `{kernel}`: {what}")
}
