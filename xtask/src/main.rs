//! Tasks of op2's development that cargo has no command for: `cargo xtask TASK`.

mod apps;
mod cuda_check;
mod goldens;
mod jobs;
mod splits;
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
    /// Prints what every form of every loop of every app would take of a GPU: shared memory, the largest blocks that fit,
    /// registers, spills, and a predicted time. Needs NVRTC, but no GPU.
    Splits(splits::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::CudaCheck(args) => cuda_check::run(&args),
        Task::Splits(args) => splits::run(&args),
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
    /// An app that is not known here.
    #[error("there is no app `{name}`: expected {}", known.join(", "))]
    NoApp { name: String, known: Vec<&'static str> },
    /// An account that cannot be read.
    #[error("`{path}`: {cause}; this is a bug of op2")]
    Account { path: String, cause: serde_json::Error },
    /// A text without the function that it is about.
    #[error("`{name}`: the compiler says nothing of `{function}`; this is a bug of op2")]
    NoReport { name: String, function: String },
    /// A GPU that nothing is known of.
    #[error("nothing is known of a GPU of architecture `{arch}`: expected sm_80 or sm_90")]
    Architecture { arch: String },
    /// Texts that do not compile.
    #[error("{failed} of {all} compilations failed")]
    Refused { failed: usize, all: usize },
}

type Result<T, E = Error> = std::result::Result<T, E>;

fn file_error(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.display().to_string();
    |cause| Error::File { path, cause }
}
