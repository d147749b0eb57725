//! The solution as a VTK file of an unstructured grid, for ParaView.

use std::path::Path;

use op2_apps::file;
use op2_apps::vtk::{self, CellType, Field, Grid};

use crate::mesh::{Mesh, Shape};
use crate::physics::{UNKNOWNS, mach, pressure};

/// Writes `mesh` and the solution `q`, `[nodes][6]`, to `path`: cells with density, velocity, pressure, Mach number
/// and turbulence variable per node, in double precision.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, mesh: &Mesh, q: &[[f64; UNKNOWNS]]) -> Result<(), file::Error> {
    let grid = Grid {
        points: mesh.x.as_flattened(),
        corners: &mesh.corners,
        corners_per_cell: mesh.corners_per_cell(),
        cell: match mesh.shape {
            Shape::Hexahedra => CellType::Hexahedron,
            Shape::Tetrahedra => CellType::Tetra,
        },
    };
    let per_node = |value: fn([f64; UNKNOWNS]) -> f64| q.iter().map(|&q| value(q)).collect();
    let fields = vec![
        Field::Scalar("density", per_node(|q| q[0])),
        Field::Vector("velocity", q.iter().flat_map(|q| [q[1] / q[0], q[2] / q[0], q[3] / q[0]]).collect()),
        Field::Scalar("pressure", per_node(pressure)),
        Field::Scalar("Mach", per_node(mach)),
        Field::Scalar("turbulence", per_node(|q| q[5] / q[0])),
    ];
    vtk::write(path, "hydra", grid, fields, Vec::new())
}
