//! Libraries that are loaded at run time.

use std::error::Error;

/// The reason why a library or one of its functions was not found. libloading keeps the loader's message in the source
/// of its error.
pub(crate) fn told(error: &libloading::Error) -> String {
    match error.source() {
        Some(words) => words.to_string(),
        None => error.to_string(),
    }
}
