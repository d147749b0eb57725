//! The history of the residual as a picture.

use std::path::Path;

use op2_apps::file;
use op2_apps::plot::{self, Curve};

use crate::solver::Residual;

/// Draws the residuals over the iterations, on a logarithmic scale, into the SVG file at `path`: the rms, and the square
/// root of the greatest squared change, which has the same unit.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, residuals: &[Residual]) -> Result<(), file::Error> {
    let title = match residuals.last() {
        Some(last) => format!("airfoil: rms {:.5e} after {} iterations", last.rms, last.iteration),
        None => "airfoil: no iterations".into(),
    };
    let greatest = residuals.iter().map(|r| r.max_err.sqrt()).collect();
    let rms = residuals.iter().map(|r| r.rms).collect();
    let curves = [
        Curve { name: "greatest change of a cell", values: greatest },
        Curve { name: "rms of all cells", values: rms },
    ];
    plot::write(path, &title, "change of the unknowns in the second inner step", &curves)
}
