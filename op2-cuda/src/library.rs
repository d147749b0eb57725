//! Libraries that are loaded at run time.

use std::error::Error;

/// Why a library or a function of it was not found: libloading keeps the loader's words in the source of its
/// error.
pub(crate) fn told(error: &libloading::Error) -> String {
    match error.source() {
        Some(words) => words.to_string(),
        None => error.to_string(),
    }
}
