//! Operations that stop a kernel on a CPU, found by checked code on a device.

use std::fmt;

/// An operation for which a kernel panics on a CPU.
///
/// Code that was compiled without checks goes on with a value instead: the table of the kernel language says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Panic {
    /// An index beyond the array.
    Index {
        /// The index that the kernel computed.
        index: u64,
        /// The length of the array.
        length: u64,
    },
    /// An integer divided by zero, or the remainder of it.
    Division,
    /// The least integer divided by -1, or the remainder of it.
    Overflow,
    /// `clamp` whose lower bound is above the upper one, or that has a bound which is no number.
    Clamp,
    /// A shift by as many bits as the integer has, or more; by a negative number, too. Release builds on a CPU use the low
    /// bits of the count, as devices do.
    Shift {
        /// The count that the kernel computed.
        count: i64,
        /// Bits of the integer.
        bits: u64,
    },
}

impl Panic {
    /// The panic with this number: `Panic` in `op2_device.cuh` has the same ones, and says what comes with them.
    pub(crate) fn of(number: u64, found: u64, expected: u64) -> Self {
        match number {
            1 => Panic::Index { index: found, length: expected },
            2 => Panic::Division,
            3 => Panic::Overflow,
            4 => Panic::Clamp,
            _ => Panic::Shift { count: found.cast_signed(), bits: expected },
        }
    }
}

/// As it goes on behind ``kernel `k`: element 3``.
impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Panic::Index { index, length } => {
                write!(f, "takes index {index} of an array of {length} (valid: 0..{length})")
            }
            Panic::Division => f.write_str("divides an integer by zero"),
            Panic::Overflow => f.write_str("divides the least integer by -1"),
            Panic::Clamp => f.write_str("calls `clamp` with bounds in the wrong order, or with one that is no number"),
            Panic::Shift { count, bits } => write!(f, "shifts an integer of {bits} bits by {count} (valid: 0..{bits})"),
        }
    }
}
