//! The log: compiled texts are told when they are ready, through the crate `log`.

use std::time::Instant;

/// A text was compiled, and not found in the cache.
pub(crate) fn compiled(name: &str, by: &str, start: Instant) {
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    ::log::debug!(target: "op2::device", "compiled `{name}` by {by} in {milliseconds:.0} ms");
}
