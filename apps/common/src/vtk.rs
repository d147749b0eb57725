//! Unstructured grids for ParaView.

use std::path::Path;

use vtkio::model::{
    Attribute, Attributes, ByteOrder, Cells, DataArray, DataSet, UnstructuredGridPiece, Version, VertexNumbers, Vtk,
};

pub use vtkio::model::CellType;

use crate::file::{self, write_atomically};

/// A grid whose cells all have one type.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// Coordinates of the points, three each.
    pub points: &'a [f64],
    /// Points of all cells, one cell after the other.
    pub corners: &'a [u32],
    /// Points of a cell.
    pub corners_per_cell: usize,
    /// Type of the cells.
    pub cell: CellType,
}

/// Numbers for every point or every cell of a grid.
#[derive(Clone, Debug)]
pub enum Field {
    /// A name, and one number each.
    Scalar(&'static str, Vec<f64>),
    /// A name, and three numbers each.
    Vector(&'static str, Vec<f64>),
}

/// Writes `grid` to `path`, in double precision, with `points` and `cells` as its data.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, title: &str, grid: Grid, points: Vec<Field>, cells: Vec<Field>) -> Result<(), file::Error> {
    let number = grid.corners.len() / grid.corners_per_cell;
    let piece = UnstructuredGridPiece {
        points: grid.points.to_vec().into(),
        cells: Cells {
            cell_verts: VertexNumbers::XML {
                connectivity: grid.corners.iter().map(|&n| u64::from(n)).collect(),
                offsets: (1..=number).map(|cell| (grid.corners_per_cell * cell) as u64).collect(),
            },
            types: vec![grid.cell; number],
        },
        data: Attributes { point: attributes(points), cell: attributes(cells) },
    };
    let vtk = Vtk {
        // The first version of the format whose binary data may be longer than 4 GiB.
        version: Version::new_xml(1, 0),
        title: title.into(),
        byte_order: ByteOrder::LittleEndian,
        file_path: None,
        data: DataSet::inline(piece),
    };
    write_atomically(path, |out| vtk.write_xml(out).map_err(|e| std::io::Error::other(e.to_string())))
}

fn attributes(fields: Vec<Field>) -> Vec<Attribute> {
    let array = |field| match field {
        Field::Scalar(name, values) => DataArray::scalars(name, 1).with_vec(values),
        Field::Vector(name, values) => DataArray::vectors(name).with_vec(values),
    };
    fields.into_iter().map(|field| Attribute::DataArray(array(field))).collect()
}
