//! Tasks of op2's development that cargo has no command for: `cargo xtask TASK`.

mod apps;
mod cuda_check;
mod goldens;
mod table;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about, version)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compiles the CUDA code of every golden and of every loop of every app by NVIDIA's compiler, and prints what
    /// each kernel takes of a GPU. Needs NVRTC, but no GPU.
    CudaCheck(cuda_check::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::CudaCheck(args) => cuda_check::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What can go wrong in a task.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// NVRTC is missing, or refuses a text.
    #[error(transparent)]
    Cuda(#[from] op2_cuda::Error),
    /// A file that cannot be read or written.
    #[error("`{path}`: {cause}")]
    File { path: String, cause: std::io::Error },
    /// An app that does not run.
    #[error("`{command}` failed:\n{output}")]
    App { command: String, output: String },
    /// An app that left no texts.
    #[error("`{command}` left no CUDA text: its loops did not run")]
    NoText { command: String },
    /// Texts that do not compile.
    #[error("{failed} of {all} compilations failed")]
    Refused { failed: usize, all: usize },
}

type Result<T, E = Error> = std::result::Result<T, E>;

fn file_error(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.display().to_string();
    |cause| Error::File { path, cause }
}
