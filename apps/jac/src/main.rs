//! The `jac` program: see `jac --help`.

mod cli;

use cli::Cli;
use jac::{solve, worst_node};
use op2::{Config, Float};
use op2_apps::file;
use op2_apps::flags::Precision;
use op2_apps::terminal::{ended, parsed, say};
use std::process::ExitCode;

/// Why the program fails.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// The command line asks for something that cannot be done.
    #[error("{0}")]
    Usage(String),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] file::Error),
    /// op2 cannot run the loops.
    #[error(transparent)]
    Op2(#[from] op2::Error),
    /// A node is too far from the closed form.
    #[error("the result is wrong: take more `--steps` if they came to an end before the last change was small")]
    Wrong,
}

impl Error {
    /// The exit status: 2 for bad input and for output that cannot be written, 1 for a run that failed.
    fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Output(error) => error.exit_status(),
            Self::Op2(_) | Self::Wrong => 1,
        }
    }
}

fn main() -> ExitCode {
    let cli = match parsed::<Cli>() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let done = match cli.precision {
        // A step cannot change a node by less than rounding does, so the tolerances are near it.
        Precision::F32 => run::<f32>(&cli, 1e-7, 2e-3),
        Precision::F64 => run::<f64>(&cli, 1e-14, 1e-10),
    };
    ended(done, Error::exit_status)
}

fn run<F: Float>(cli: &Cli, tolerance: f64, allowed: f64) -> Result<(), Error> {
    let threads = cli.backend.threads(cli.threads).map_err(Error::Usage)?;
    let config = Config::default().backend(cli.backend.to_op2(threads));
    let outcome = solve(cli.size, F::lit(tolerance), cli.steps, config)?;
    say(&format!("{} steps, last change {:e}, norm {}", outcome.steps, outcome.change, outcome.norm))?;
    let Some((node, found, expected)) = worst_node(cli.size, &outcome.u) else { return Ok(()) };
    let error = (found - expected).abs().to_f64();
    let right = error <= allowed;
    let verdict = if right { "passed" } else { "failed" };
    say(&format!(
        "{verdict}: node {node} is farthest from the closed form, {found} for {expected}, {error:.1e} off ({allowed:.0e} allowed)"
    ))?;
    if right { Ok(()) } else { Err(Error::Wrong) }
}
