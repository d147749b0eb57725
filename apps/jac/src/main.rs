//! The `jac` program: see `jac --help`.

use jac::cli::Cli;
use jac::{solve, worst_node};
use op2::{Config, Float};
use op2_apps::error::Fault;
use op2_apps::flags::Precision;
use op2_apps::terminal::{ended, parsed, say};
use std::process::ExitCode;

/// Everything that can go wrong in a run of the program.
type Error = op2_apps::error::Error<Wrong>;

/// A node is too far from the closed form.
#[derive(Debug, thiserror::Error)]
#[error("the result is wrong: take more `--steps` if they came to an end before the last change was small")]
struct Wrong;

impl Fault for Wrong {
    fn exit_status(&self) -> u8 {
        1
    }
}

fn main() -> ExitCode {
    let cli = match parsed::<Cli>() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let told = cli.verbosity.start().map_err(Error::Usage);
    let done = told.and_then(|()| match cli.precision {
        // A step cannot change a node by less than rounding does, so the tolerances are near it.
        Precision::F32 => run::<f32>(&cli, 1e-7, 2e-3),
        Precision::F64 => run::<f64>(&cli, 1e-14, 1e-10),
    });
    ended(done, Error::exit_status)
}

fn run<F: Float>(cli: &Cli, tolerance: f64, allowed: f64) -> Result<(), Error> {
    let threads = cli.executor.threads().map_err(Error::Usage)?;
    let config = Config::default().backend(cli.executor.backend.to_op2(threads));
    let outcome = solve(cli.size, F::lit(tolerance), cli.steps, config)?;
    say(&format!("{} steps, last change {:e}, norm {}", outcome.steps, outcome.change, outcome.norm))?;
    let Some((node, found, expected)) = worst_node(cli.size, &outcome.u) else { return Ok(()) };
    let error = (found - expected).abs().to_f64();
    let right = error <= allowed;
    let verdict = if right { "passed" } else { "failed" };
    say(&format!(
        "{verdict}: node {node} is farthest from the closed form, {found} for {expected}, {error:.1e} off ({allowed:.0e} allowed)"
    ))?;
    if right { Ok(()) } else { Err(Wrong.into()) }
}
