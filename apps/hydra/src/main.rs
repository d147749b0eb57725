//! The `hydra` program: see `hydra --help`.

use std::process::ExitCode;

use clap::Parser as _;
use hydra::{app, cli::Cli};

fn main() -> ExitCode {
    match app::run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
