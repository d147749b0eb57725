//! Everything that a user sees while an app runs, and how a program ends.
//!
//! Standard output is a result like any file: if it cannot be written, the program ends with the reason and status 2.
//! If its reader has gone away, as in `airfoil | head -1`, the program ends silently with status 141, by which shells
//! show programs that SIGPIPE ended; files not yet written are then missing. Standard error is for people, and failing
//! to write it does not end a run.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use crate::file::{Error, READER_GONE};

/// How programs end, for the end of their help.
pub const EXIT_STATUS: &str = "Exit status: 0 if all was computed and written; 1 if the run failed; 2 if the command line, \
    a mesh or an output cannot be; 141 if nobody reads standard output any more, as behind `| head -1`: the run ends then, \
    and files that were not yet written are not there";

/// Prints a line on standard output.
///
/// # Errors
///
/// [`Error::Standard`] with the reason, or [`Error::ReaderGone`].
pub fn say(line: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let written = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
    written.map_err(|e| unwritten(&e))
}

/// Prints an error on standard error, if possible.
pub fn complain(error: &dyn Display) {
    let _ = writeln!(io::stderr(), "error: {error}");
}

/// A bar of `iterations` on standard error, which is hidden if that is no terminal.
pub fn progress(iterations: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} iterations, {eta} left")
        .expect("the fixed template is well formed");
    ProgressBar::new(iterations as u64).with_style(style)
}

/// A line on standard error with the name of a stage and the time that it has taken, until it is dropped. It is hidden if that is no
/// terminal.
pub fn stage(name: &'static str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{spinner} {msg}, {elapsed_precise}").expect("the fixed template is well formed");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(name).with_finish(ProgressFinish::AndClear);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// The command line of the program.
///
/// # Errors
///
/// The status with which the program is to end, because the command line is wrong, or because all it asks for was the help
/// or the version; that has been said then.
pub fn parsed<C: Parser>() -> Result<C, ExitCode> {
    C::try_parse().map_err(|said| {
        let printed = said.print().and_then(|()| io::stdout().flush());
        match printed {
            Err(e) if !said.use_stderr() => ended(Err(unwritten(&e)), Error::exit_status),
            _ => ExitCode::from(if said.use_stderr() { 2 } else { 0 }),
        }
    })
}

/// How the program ends with this outcome: an error is printed, unless its status is [`READER_GONE`].
pub fn ended<E: Display>(outcome: Result<(), E>, status: impl Fn(&E) -> u8) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let status = status(&error);
            if status != READER_GONE {
                complain(&error);
            }
            ExitCode::from(status)
        }
    }
}

fn unwritten(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::ReaderGone,
        _ => Error::Standard { reason: error.to_string() },
    }
}
