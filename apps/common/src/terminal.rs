//! What a user sees while an app runs.

use std::io::Write as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Prints a line on standard output. A reader that has gone away, as `head` does, is no reason to stop the run.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A bar of `iterations` on standard error, which hides by itself where that is no terminal.
pub fn progress(iterations: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} iterations, {eta} left")
        .expect("the fixed template is well formed");
    ProgressBar::new(iterations as u64).with_style(style)
}
