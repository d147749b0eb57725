//! The one error type of the app, with the exit status each kind leads to.

use std::path::PathBuf;

/// What any fallible function of the app returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong in a run of the app.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line asks for something that cannot be done.
    #[error("{0}")]
    Usage(String),

    /// A file cannot be opened or read.
    #[error("cannot {action} `{}`: {reason}", path.display())]
    File {
        /// What was tried, as a verb: `read`, `write`, …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        reason: String,
    },

    /// An output cannot be written, or two options name the same one.
    #[error(transparent)]
    Output(#[from] op2_apps::file::Error),

    /// The text of a mesh file is not what the format asks for.
    #[error("`{name}`, line {line}: {reason}")]
    MeshText {
        /// The file's name.
        name: String,
        /// The line, counted from 1; one past the last line where the file ends too early.
        line: usize,
        /// What was found, what was expected.
        reason: String,
    },

    /// op2 refuses the mesh, or cannot run it.
    #[error(transparent)]
    Op2(#[from] op2::Error),

    /// The solution has ceased to be a number, so that going on is useless.
    #[error(
        "the solution is no longer finite after iteration {iteration} (rms {rms}): \
         the mesh may have cells without area or turned the wrong way round"
    )]
    Diverged {
        /// The first iteration with a residual that is not finite.
        iteration: usize,
        /// That residual.
        rms: f64,
    },
}

impl Error {
    /// The exit status of the program: 2 for bad input, as `clap` has it, 1 for a run that failed.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::File { .. } | Self::Output(_) | Self::MeshText { .. } => 2,
            Self::Diverged { .. } | Self::Op2(_) => 1,
        }
    }
}
