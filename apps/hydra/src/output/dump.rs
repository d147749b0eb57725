//! The solution as plain text.

use std::path::Path;

use op2_apps::file::{self, write_atomically};

use crate::physics::UNKNOWNS;

/// Writes `q`, `[nodes][6]`, to `path`: one line per node, its six numbers with 17 significant digits, from which a
/// double is read back exactly.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, q: &[[f64; UNKNOWNS]]) -> Result<(), file::Error> {
    write_atomically(path, |out| {
        for [a, b, c, d, e, f] in q {
            writeln!(out, "{a:.16e} {b:.16e} {c:.16e} {d:.16e} {e:.16e} {f:.16e}")?;
        }
        Ok(())
    })
}
