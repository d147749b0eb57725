//! Command line of the Jacobi iteration.

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use op2_apps::flags::{MAX_ITERATIONS, Precision};
use op2_apps::options::{Executor, Verbosity};
use op2_apps::terminal::EXIT_STATUS;

/// Solves the Poisson equation on a grid graph by Jacobi's method and checks every node against the
/// closed form.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_STATUS,
          mut_arg("backend", |backend| backend.help("Where loops run")))]
pub struct Cli {
    /// Nodes a side
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub size: u32,
    /// Most steps taken
    #[arg(long, value_name = "N", default_value_t = 20_000, allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_ITERATIONS))]
    pub steps: usize,
    /// Arithmetic
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    pub precision: Precision,
    /// The backend that executes the loops.
    #[command(flatten)]
    pub executor: Executor,
    /// The log.
    #[command(flatten)]
    pub verbosity: Verbosity,
}
