//! Development tasks for which cargo has no command: `cargo xtask TASK`.

mod apps;
mod cuda_check;
mod figures;
mod fuzz;
mod goldens;
mod hip_check;
mod jobs;
mod layers;
mod splits;
mod table;
mod texts;

use clap::{Parser, Subcommand};
use op2_apps::file;
use op2_apps::terminal::{ended, parsed};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about, version)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compiles the CUDA code of every golden and of every loop of every app by NVIDIA's compiler, and prints the
    /// resources that each kernel needs on a GPU. Needs NVRTC, but no GPU.
    CudaCheck(cuda_check::Args),
    /// Compiles the same texts for AMD's GPUs by the distribution's clang, and prints the resources that each kernel needs. Needs clang
    /// from version 17, but neither ROCm nor a GPU. Nothing is linked: calls of ROCm's mathematical functions stay open.
    HipCheck(hip_check::Args),
    /// Prints the resources that every form of every loop of every app needs on a GPU: shared memory, the largest blocks that fit,
    /// registers, spills, and a predicted time. Needs NVRTC, but no GPU.
    Splits(splits::Args),
    /// Measures all figures of performance in the documentation, and writes them to `benches/results`, to README and to the picture of
    /// airfoil's loops. Takes eleven minutes on two idle cores, once everything is built.
    Figures(figures::Args),
    /// Runs random programs and random sequences of calls in every way and compares them with plain Rust. Failures are shrunk and
    /// printed as programs.
    Fuzz(fuzz::Args),
    /// Orders the modules of every crate into floors, by the paths in their code. Fails on modules that import each other in a circle,
    /// and on `unsafe` in files that docs/unsafe.md does not list. Tests are left out.
    Layers(layers::Args),
}

fn main() -> ExitCode {
    let done = match parsed::<Cli>() {
        Ok(Cli { task: Task::CudaCheck(args) }) => cuda_check::run(&args),
        Ok(Cli { task: Task::HipCheck(args) }) => hip_check::run(&args),
        Ok(Cli { task: Task::Splits(args) }) => splits::run(&args),
        Ok(Cli { task: Task::Figures(args) }) => figures::run(&args),
        Ok(Cli { task: Task::Fuzz(args) }) => fuzz::run(&args),
        Ok(Cli { task: Task::Layers(args) }) => layers::run(&args),
        Err(status) => return status,
    };
    ended(done, |error| match error {
        Error::Output(error) => error.exit_status(),
        _ => 1,
    })
}

/// An error of a task.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// A compiler is missing, or refuses a text.
    #[error(transparent)]
    Cuda(#[from] op2_device::Error),
    /// Fuzzers found a failure, or did not start.
    #[error("{0}: found what stands above")]
    Fuzz(String),
    /// Modules that import each other in circles.
    #[error(
        "circles of modules that import each other, as above: {circles}. To open one, move what two modules both need into a module \
         below them, or move the code that reaches up into the module that it reaches for"
    )]
    Circles { circles: usize },
    /// `unsafe` where it is not expected, or expected where it is not.
    #[error("lines that the code and the list of files with `unsafe` disagree on, as above: {faults}")]
    Unsafe { faults: usize },
    /// The list of files that may hold `unsafe` is missing.
    #[error("{file} has no section `{heading}`: list there the files that may hold `unsafe`, each with its reason")]
    NoUnsafeList { file: &'static str, heading: &'static str },
    /// A source does not parse.
    #[error("`{path}`, line {line}: {cause}")]
    Syntax { path: String, line: usize, cause: syn::Error },
    /// An output cannot be written.
    #[error(transparent)]
    Output(#[from] file::Error),
    /// A file cannot be read.
    #[error("`{path}`: {cause}")]
    File { path: String, cause: std::io::Error },
    /// An app does not run.
    #[error("`{command}` failed:\n{output}")]
    App { command: String, output: String },
    /// An app dumped no texts.
    #[error("`{command}` left no CUDA text: its loops did not run")]
    NoText { command: String },
    /// The app is unknown.
    #[error("there is no app `{name}`: expected {}", known.join(", "))]
    NoApp { name: String, known: Vec<&'static str> },
    /// Output of an app cannot be read.
    #[error("`{path}`: {cause}; this is a bug of op2")]
    Json { path: String, cause: serde_json::Error },
    /// A text lacks the function that it should contain.
    #[error("`{name}`: the compiler says nothing of `{function}`; this is a bug of op2")]
    NoReport { name: String, function: String },
    /// The architecture is unknown.
    #[error("nothing is known of a GPU of architecture `{arch}`: expected sm_80 or sm_90")]
    Architecture { arch: String },
    /// A goal, or a line of README, has no figure.
    #[error("no bench has a figure `{pattern}`: correct the name, or the bench that had it")]
    NoFigure { pattern: String },
    /// A line of a bench's output cannot be parsed.
    #[error(
        "bench `{bench}` has the figure `{line}`: expected a name and three numbers, with tabs between them; this is a bug of op2"
    )]
    Figure { bench: String, line: String },
    /// README lacks the block for figures.
    #[error("README.md has no lines `{start}` and `{end}` one behind the other: put them where the figures go")]
    NoBlock { start: &'static str, end: &'static str },
    /// Texts do not compile.
    #[error("{failed} of {all} compilations failed")]
    Refused { failed: usize, all: usize },
}

type Result<T, E = Error> = std::result::Result<T, E>;

fn file_error(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.display().to_string();
    |cause| Error::File { path, cause }
}

/// Fails if the table could not be written in the end, because the work before takes minutes.
fn check_output(path: Option<&Path>) -> Result<()> {
    Ok(file::check_all([], path.map(|path| ("--json", path)))?)
}

/// Writes rows as JSON, if a file was requested.
fn write_rows(path: Option<&Path>, rows: &[impl Serialize]) -> Result<(), file::Error> {
    let Some(path) = path else { return Ok(()) };
    file::write_atomically(path, |out| {
        serde_json::to_writer_pretty(&mut *out, rows)?;
        writeln!(out)
    })
}
