//! Operations that panic on a CPU, found by checked code on a device.
//!
//! The generated text passes them through hooks of the header, which are empty unless the compiler gets a definition: so
//! there is one text with checks and without. On a GPU the first panic of a launch is recorded, and a kernel of the header hands
//! the record over behind every launch. In the emulator a panic ends the launch, and indices are checked always.

use std::fmt;

/// An operation for which a kernel panics on a CPU.
///
/// Code without checks continues with a value instead, listed in the table of the kernel language.
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
    /// An integer division or remainder by zero.
    Division,
    /// A division or remainder of the least integer by -1.
    Overflow,
    /// `clamp` with a lower bound above the upper one, or with a NaN as a bound.
    Clamp,
    /// A shift by a negative count, or by as many bits as the integer has or more. Release builds on a CPU use the low
    /// bits of the count, as devices do.
    Shift {
        /// The count that the kernel computed.
        count: i64,
        /// Bits of the integer.
        bits: u64,
    },
    /// The condition of a `debug_assert!` that does not hold. Release builds on a CPU do not check it.
    Assertion,
}

impl Panic {
    /// The panic with this number. The numbers and values are those of `Panic` in `op2_device.cuh`.
    #[cfg(any(feature = "cuda", feature = "emulator", feature = "hip"))]
    pub(crate) fn of(number: u64, found: u64, expected: u64) -> Self {
        match number {
            1 => Panic::Index { index: found, length: expected },
            2 => Panic::Division,
            3 => Panic::Overflow,
            4 => Panic::Clamp,
            6 => Panic::Assertion,
            _ => Panic::Shift { count: found.cast_signed(), bits: expected },
        }
    }
}

/// Continues a message that began with ``kernel `k`: element 3``.
impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Panic::Index { index, length } => {
                write!(f, "takes index {index} of an array of {length} (valid: 0..{length})")
            }
            Panic::Division => f.write_str("divides an integer by zero"),
            Panic::Overflow => f.write_str("divides the least integer by -1"),
            Panic::Assertion => f.write_str("does not fulfil a `debug_assert!`"),
            Panic::Clamp => f.write_str("calls `clamp` with bounds in the wrong order, or with one that is no number"),
            Panic::Shift { count, bits } => write!(f, "shifts an integer of {bits} bits by {count} (valid: 0..{bits})"),
        }
    }
}
