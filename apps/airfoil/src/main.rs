//! The `airfoil` program: see `airfoil --help`.

use std::process::ExitCode;

use airfoil::{app, cli::Cli};
use clap::Parser as _;

fn main() -> ExitCode {
    match app::run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
