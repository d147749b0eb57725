//! The solution as a VTK file of an unstructured grid, for ParaView.

use std::path::Path;

use vtkio::model::{
    Attribute, Attributes, ByteOrder, CellType, Cells, DataArray, DataSet, UnstructuredGridPiece, Version,
    VertexNumbers, Vtk,
};

use super::file::write_atomically;
use crate::Result;
use crate::mesh::Mesh;
use crate::physics::{UNKNOWNS, mach, pressure};

/// Writes `mesh` and the solution `q`, `[cells][4]`, to `path`: quadrilaterals with density, velocity, pressure and Mach
/// number per cell, in double precision.
///
/// # Errors
///
/// [`Error::File`](crate::Error::File) if the file cannot be written.
pub fn write(path: &Path, mesh: &Mesh, q: &[[f64; UNKNOWNS]]) -> Result<()> {
    let vtk = Vtk {
        // The first version of the format whose binary data may be longer than 4 GiB.
        version: Version::new_xml(1, 0),
        title: "airfoil".into(),
        byte_order: ByteOrder::LittleEndian,
        file_path: None,
        data: DataSet::inline(grid(mesh, q)),
    };
    write_atomically(path, |out| vtk.write_xml(out).map_err(|e| std::io::Error::other(e.to_string())))
}

fn grid(mesh: &Mesh, q: &[[f64; UNKNOWNS]]) -> UnstructuredGridPiece {
    let corners = 1..=mesh.cells() as u64;
    let per_cell = |name: &str, value: fn([f64; UNKNOWNS]) -> f64| {
        let values: Vec<f64> = q.iter().map(|&q| value(q)).collect();
        Attribute::DataArray(DataArray::scalars(name, 1).with_vec(values))
    };
    let velocity: Vec<f64> = q.iter().flat_map(|q| [q[1] / q[0], q[2] / q[0], 0.0]).collect();
    UnstructuredGridPiece {
        points: mesh.x.iter().flat_map(|&[x, y]| [x, y, 0.0]).collect::<Vec<f64>>().into(),
        cells: Cells {
            cell_verts: VertexNumbers::XML {
                connectivity: mesh.cell_nodes.iter().flatten().map(|&n| u64::from(n)).collect(),
                offsets: corners.map(|cell| 4 * cell).collect(),
            },
            types: vec![CellType::Quad; mesh.cells()],
        },
        data: Attributes {
            point: Vec::new(),
            cell: vec![
                per_cell("density", |q| q[0]),
                Attribute::DataArray(DataArray::vectors("velocity").with_vec(velocity)),
                per_cell("pressure", pressure),
                per_cell("Mach", mach),
            ],
        },
    }
}
