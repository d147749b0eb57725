//! The `siac` program: see `siac --help`.

use std::process::ExitCode;

use op2_apps::terminal::{ended, parsed};
use siac::{Error, app, cli::Cli};

fn main() -> ExitCode {
    match parsed::<Cli>() {
        Ok(cli) => {
            let told = cli.verbosity.start().map_err(Error::Usage);
            ended(told.and_then(|()| app::run(&cli)), Error::exit_status)
        }
        Err(status) => status,
    }
}
