//! A mesh as a VTK file of an unstructured grid, for ParaView.

use std::path::Path;

use op2_apps::file;
use op2_apps::vtk::{self, CellType, Field, Grid};

use crate::mesh::Mesh;
use crate::metric::Metric;
use crate::outcome;
use crate::quality::of_facet;

/// Writes a mesh to `path`: at vertices the field and the metric, and for each facet its quality in the metric.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, mesh: &Mesh, metric: &Metric, field: &outcome::Field) -> Result<(), file::Error> {
    let tensors = metric.at_vertices(mesh);
    let places: Vec<f64> = mesh.vertices.iter().flat_map(|&[x, y]| [x, y, 0.0]).collect();
    let grid =
        Grid { points: &places, corners: mesh.facets.as_flattened(), corners_per_cell: 3, cell: CellType::Triangle };
    let entry = |k: usize| tensors.iter().map(|tensor| tensor[k]).collect();
    let mut points: Vec<Field> =
        ["m00", "m01", "m11"].into_iter().enumerate().map(|(k, name)| Field::Scalar(name, entry(k))).collect();
    points.insert(0, Field::Scalar("field", field.values.clone()));
    let quality = (mesh.facets.iter().enumerate())
        .map(|(n, facet)| of_facet(&mesh.corners(n), facet.map(|v| tensors[v as usize])))
        .collect();
    vtk::write(path, "adapt", grid, points, vec![Field::Scalar("quality", quality)])
}
