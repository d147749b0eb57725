//! The solution as a VTK file of an unstructured grid, for ParaView.

use std::path::Path;

use op2_apps::file;
use op2_apps::vtk::{self, CellType, Field, Grid};

use crate::mesh::Mesh;
use crate::physics::{UNKNOWNS, mach, pressure};

/// Writes `mesh` and the solution `q`, `[cells][4]`, to `path`: quadrilaterals with density, velocity, pressure and Mach
/// number per cell, in double precision.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, mesh: &Mesh, q: &[[f64; UNKNOWNS]]) -> Result<(), file::Error> {
    let points: Vec<f64> = mesh.x.iter().flat_map(|&[x, y]| [x, y, 0.0]).collect();
    let grid =
        Grid { points: &points, corners: mesh.cell_nodes.as_flattened(), corners_per_cell: 4, cell: CellType::Quad };
    let per_cell = |value: fn([f64; UNKNOWNS]) -> f64| q.iter().map(|&q| value(q)).collect();
    let fields = vec![
        Field::Scalar("density", per_cell(|q| q[0])),
        Field::Vector("velocity", q.iter().flat_map(|q| [q[1] / q[0], q[2] / q[0], 0.0]).collect()),
        Field::Scalar("pressure", per_cell(pressure)),
        Field::Scalar("Mach", per_cell(mach)),
    ];
    vtk::write(path, "airfoil", grid, Vec::new(), fields)
}
