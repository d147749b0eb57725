//! The mesh before and after as a picture.

use std::path::Path;

use op2_apps::file;
use op2_apps::panels::{self, Panel, Triangle};

use super::Case;
use crate::mesh::{Mesh, twice_area};

/// The most facets whose edges are drawn: of more, the picture would be black and large.
const MOST_OUTLINES: usize = 30_000;

/// Draws both meshes into the SVG file at `path`: facets in the colour of their size, the side of a square of twice their area.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    let meshes = [("before", &case.task.mesh), ("after", &case.run.outcome.mesh)];
    let titles = meshes.map(|(when, mesh)| format!("{when}: {} facets by their size", mesh.facets.len()));
    let triangles = meshes.map(|(_, mesh)| corners(mesh));
    let sizes = [0, 1].map(|k| triangles[k].iter().map(|t| twice_area(t).sqrt()).collect::<Vec<f64>>());
    let panels = [0, 1].map(|k| Panel {
        title: &titles[k],
        triangles: &triangles[k],
        values: &sizes[k],
        outlines: triangles[k].len() <= MOST_OUTLINES,
    });
    panels::write(path, &panels)
}

fn corners(mesh: &Mesh) -> Vec<Triangle> {
    (0..mesh.facets.len()).map(|facet| mesh.corners(facet)).collect()
}
