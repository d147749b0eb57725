//! Command line of the Jacobi iteration.

use clap::{Parser, ValueEnum};
use jac::{solve, worst_node};
use op2::{Backend, Config, Float};
use std::process::ExitCode;

/// Solves the Poisson equation on a grid graph by Jacobi's method and checks every node against the
/// closed form.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Nodes a side.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    size: u32,
    /// Most steps taken.
    #[arg(long, default_value_t = 20_000)]
    steps: usize,
    /// Arithmetic.
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    precision: Precision,
    /// Where loops run.
    #[arg(long, value_enum, default_value_t = Place::Threads)]
    backend: Place,
    /// Threads of `--backend threads`; all cores if not given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Precision {
    F32,
    F64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Place {
    Seq,
    Threads,
    /// The first NVIDIA GPU; needs a build with `--features cuda`.
    Cuda,
    /// The code for GPUs on the CPU, checked access by access; slow, needs a C++ compiler.
    CudaEmu,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.precision {
        // A step cannot change a node by less than rounding does, so the tolerances are near it.
        Precision::F32 => run::<f32>(&cli, 1e-7, 2e-3),
        Precision::F64 => run::<f64>(&cli, 1e-14, 1e-10),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the result is right.
fn run<F: Float>(cli: &Cli, tolerance: f64, allowed: f64) -> op2::Result<bool> {
    let config = match (cli.backend, cli.threads) {
        (Place::Seq, _) => Config::default().backend(Backend::Seq),
        (Place::Threads, None) => Config::default(),
        (Place::Threads, Some(threads)) => Config::default().backend(Backend::Threads(threads.into())),
        (Place::Cuda, _) => Config::default().backend(Backend::Cuda(0)),
        (Place::CudaEmu, _) => Config::default().backend(Backend::CudaEmu),
    };
    let outcome = solve(cli.size, F::lit(tolerance), cli.steps, config)?;
    println!("{} steps, last change {:e}, norm {}", outcome.steps, outcome.change, outcome.norm);
    let Some((node, found, expected)) = worst_node(cli.size, &outcome.u) else { return Ok(true) };
    let error = (found - expected).abs().to_f64();
    let right = error <= allowed;
    let verdict = if right { "passed" } else { "failed" };
    println!(
        "{verdict}: node {node} is farthest from the closed form, {found} for {expected}, {error:.1e} off ({allowed:.0e} allowed)"
    );
    Ok(right)
}
