//! The errors before and after as a picture.

use std::path::Path;

use op2_apps::file;
use op2_apps::panels::{self, Panel};

use super::Case;
use super::vtk::greatest_errors;

/// Draws the greatest error at the points of each triangle, before and after, into the SVG file at `path`.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written, or errors are not known.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    let unknown =
        || file::Error::Failed { action: "write", path: path.into(), reason: "the errors are not known".into() };
    let [before, after] = greatest_errors(case).ok_or_else(unknown)?;
    let panel = |title, values| Panel { title, triangles: &case.task.corners, values, outlines: false };
    panels::write(path, &[panel("|error| before the filter", &before), panel("|error| after the filter", &after)])
}
