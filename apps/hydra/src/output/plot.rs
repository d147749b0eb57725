//! The history of the residual as a picture.

use std::path::Path;

use op2_apps::file;
use op2_apps::plot::{self, Curve};

use crate::solver::Residual;

/// Draws the residuals over the iterations, on a logarithmic scale, into the SVG file at `path`: the rms, and the
/// greatest rate of change of a node.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, residuals: &[Residual]) -> Result<(), file::Error> {
    let title = match residuals.last() {
        Some(last) => format!("hydra: rms {:.5e} after {} iterations", last.rms, last.iteration),
        None => "hydra: no iterations".into(),
    };
    let curves = [
        Curve { name: "greatest rate of a node", values: residuals.iter().map(|r| r.max_err.sqrt()).collect() },
        Curve { name: "rms of all nodes", values: residuals.iter().map(|r| r.rms).collect() },
    ];
    plot::write(path, &title, "rate of change of the density", &curves)
}
