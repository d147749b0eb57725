//! The `adapt` program: see `adapt --help`.

use std::process::ExitCode;

use adapt::{Error, app, cli::Cli};
use op2_apps::terminal::{ended, parsed};

fn main() -> ExitCode {
    match parsed::<Cli>() {
        Ok(cli) => {
            let told = cli.verbosity.start().map_err(Error::Usage);
            ended(told.and_then(|()| app::run(&cli)), Error::exit_status)
        }
        Err(status) => status,
    }
}
