//! The faults that only this app has, with the exit status each kind leads to.

/// The errors of a run of the app.
pub type Error = op2_apps::error::Error<Fault>;

/// The result of the app's fallible functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Faults that other apps do not have.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A filtered value is no number.
    #[error(
        "u* is {value} at point {point} of {points}, expected a finite number: coefficients of u_h near it, or the scale h, may be \
         too large or too small for arithmetic in double precision"
    )]
    NotFinite {
        /// The first such point.
        point: usize,
        /// How many there are in all.
        points: usize,
        /// The value.
        value: f64,
    },

    /// The loops of op2 and plain loops meet other pairs.
    #[error(
        "`--check`: {found} pairs meet in the loops of op2 and {expected} in plain loops, expected the same: this is a bug of op2"
    )]
    Hits {
        /// Those of op2.
        found: u64,
        /// Those of plain loops.
        expected: u64,
    },

    /// The loops of op2 and plain loops leave other values.
    #[error(
        "`--check`: u* is {found:e} at point {point} by the loops of op2 and {expected:e} by plain loops, expected a difference of at \
         most {allowed:e}: this is a bug of op2"
    )]
    Value {
        /// The point with the greatest difference.
        point: usize,
        /// The value of op2.
        found: f64,
        /// The value of plain loops.
        expected: f64,
        /// The greatest difference that rounding explains.
        allowed: f64,
    },
}

impl op2_apps::error::Fault for Fault {
    fn exit_status(&self) -> u8 {
        1
    }
}
