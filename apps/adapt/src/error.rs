//! The faults that only this app has, with the exit status each kind leads to.

use op2_apps::flaw::Flaw;

/// The errors of a run of the app.
pub type Error = op2_apps::error::Error<Fault>;

/// The result of the app's fallible functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Faults that other apps do not have.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The adapted mesh lacks a property that every phase keeps.
    #[error("`--check`: {0}: this is a bug of op2")]
    Check(Flaw),
}

impl op2_apps::error::Fault for Fault {
    fn exit_status(&self) -> u8 {
        1
    }
}
