//! The errors of an app, with the exit status each kind leads to.

use std::convert::Infallible;

use crate::{file, flaw, text};

/// The errors of a run of an app; `F` is for faults that only one app has.
#[derive(Debug, thiserror::Error)]
pub enum Error<F: Fault = Infallible> {
    /// The command line asks for something that cannot be done.
    #[error("{0}")]
    Usage(String),

    /// An output cannot be written, or two options name the same one.
    #[error(transparent)]
    Output(#[from] file::Error),

    /// A mesh file cannot be read, or the solver cannot run on its mesh.
    #[error(transparent)]
    Text(#[from] text::Error),

    /// A mesh on which the solver cannot run.
    #[error(transparent)]
    Mesh(#[from] flaw::Flaw),

    /// op2 refuses the mesh, or cannot run it.
    #[error(transparent)]
    Op2(#[from] op2::Error),

    /// The solution is no longer finite, so the run stops.
    #[error("the solution is no longer finite after iteration {iteration} (rms {rms}): {cause}")]
    Diverged {
        /// The first iteration with a residual that is not finite.
        iteration: usize,
        /// That residual.
        rms: f64,
        /// Where to look for the cause.
        cause: &'static str,
    },

    /// A fault of this app.
    #[error(transparent)]
    Own(#[from] F),
}

/// A fault that only one app has.
pub trait Fault: std::error::Error + 'static {
    /// The exit status of a program that ends by it.
    fn exit_status(&self) -> u8;
}

impl<F: Fault> Error<F> {
    /// The exit status of the program: 2 for bad input, as `clap` has it, and for output that cannot be written; 1 for a
    /// run that failed; and [`READER_GONE`](file::READER_GONE).
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Text(_) | Self::Mesh(_) => 2,
            Self::Output(e) => e.exit_status(),
            Self::Diverged { .. } | Self::Op2(_) => 1,
            Self::Own(fault) => fault.exit_status(),
        }
    }
}

/// An app without faults of its own.
impl Fault for Infallible {
    fn exit_status(&self) -> u8 {
        match *self {}
    }
}
