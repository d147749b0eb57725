//! op2's log as lines on standard error.

use std::ffi::OsStr;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::LazyLock;
use std::time::Instant;

use log::{Level, LevelFilter, Log, Metadata, Record};

/// Names the level if the command line does not.
pub const VARIABLE: &str = "OP2_LOG";

/// Starts the log of this process.
///
/// # Errors
///
/// [`VARIABLE`] names no level; the text is meant for the user.
pub fn start(verbose: u8) -> Result<(), String> {
    let level = level(verbose, std::env::var_os(VARIABLE).as_deref())?;
    LazyLock::force(&START);
    // A program that embeds the app may have a logger, which then stays.
    if log::set_logger(&Lines).is_ok() {
        log::set_max_level(level);
    }
    Ok(())
}

/// The level by the number of `--verbose` and the text of the variable.
fn level(verbose: u8, variable: Option<&OsStr>) -> Result<LevelFilter, String> {
    let stated = variable.map(|text| {
        let text = text.to_string_lossy();
        let expected = "`off`, `error`, `warn`, `info`, `debug` or `trace`";
        text.parse().map_err(|_| format!("environment variable `{VARIABLE}`: expected {expected}, found `{text}`"))
    });
    let stated = stated.transpose()?;
    Ok(match verbose {
        0 => stated.unwrap_or(LevelFilter::Warn),
        1 => LevelFilter::Info,
        _ => LevelFilter::Debug,
    })
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Writes each event as a line, with the seconds since the start.
struct Lines;

impl Log for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, event: &Record<'_>) {
        let mut out = io::stderr().lock();
        // In place of a progress bar, which is drawn again below.
        let begin = if out.is_terminal() { "\r\x1b[K" } else { "" };
        let warning = if event.level() <= Level::Warn { "warning: " } else { "" };
        let (target, seconds) = (event.target(), START.elapsed().as_secs_f64());
        // Standard error is for people: a run does not end because nobody reads it.
        let _ = writeln!(out, "{begin}[{target}] {seconds:.3} s: {warning}{}", event.args());
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_stronger_than_the_variable() {
        let of = |verbose, text: Option<&str>| level(verbose, text.map(OsStr::new));
        assert_eq!(of(0, None), Ok(LevelFilter::Warn));
        assert_eq!(of(0, Some("off")), Ok(LevelFilter::Off));
        assert_eq!(of(0, Some("trace")), Ok(LevelFilter::Trace));
        assert_eq!(of(1, Some("off")), Ok(LevelFilter::Info));
        assert_eq!([2, 3].map(|n| of(n, None)), [Ok(LevelFilter::Debug), Ok(LevelFilter::Debug)]);
        for verbose in [0, 1] {
            let expected = "environment variable `OP2_LOG`: expected `off`, `error`, `warn`, `info`, `debug` or `trace`, found `loud`";
            assert_eq!(of(verbose, Some("loud")), Err(expected.to_owned()));
        }
    }
}
