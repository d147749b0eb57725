//! The mesh of the app: quadrilateral cells, the edges between them, and the edges on the boundary.
//!
//! A mesh is made by [`Mesh::naca0012`], read by [`Mesh::read`] or renumbered by [`Mesh::shuffled`]. All numbers count
//! from 0. Call [`Mesh::check`] before computing on a mesh.

mod check;
mod file;
mod naca;
mod shuffle;
mod spline;

pub use naca::MAX_CELLS;
pub use shuffle::Renumbering;
pub use spline::Spline;

/// Elements of the sets, as errors call them.
const NODE: &str = "node";
const CELL: &str = "cell";
const EDGE: &str = "edge";
const BOUNDARY_EDGE: &str = "boundary edge";

/// An unstructured mesh of quadrilaterals with its edges.
///
/// An edge's nodes are ordered: with `(dx, dy)` from its second node to its first, the normal `(dy, −dx)` points out of
/// its first cell into its second one, and out of the mesh on a boundary edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Coordinates of the nodes: `[nodes][2]`.
    pub x: Vec<[f64; 2]>,
    /// Corners of the cells, counter-clockwise: `[cells][4]`, node numbers.
    pub cell_nodes: Vec<[u32; 4]>,
    /// Ends of the interior edges: `[edges][2]`, node numbers.
    pub edge_nodes: Vec<[u32; 2]>,
    /// Cells on either side of the interior edges: `[edges][2]`, cell numbers.
    pub edge_cells: Vec<[u32; 2]>,
    /// Ends of the boundary edges: `[boundary edges][2]`, node numbers.
    pub bedge_nodes: Vec<[u32; 2]>,
    /// Cell inside of the boundary edges: `[boundary edges]`, cell numbers.
    pub bedge_cell: Vec<u32>,
    /// Kind of the boundary edges, [`WALL`](crate::physics::WALL) or [`FAR_FIELD`](crate::physics::FAR_FIELD):
    /// `[boundary edges]`.
    pub bound: Vec<i32>,
}

impl Mesh {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.x.len()
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cell_nodes.len()
    }

    /// Number of interior edges.
    pub fn edges(&self) -> usize {
        self.edge_nodes.len()
    }

    /// Number of boundary edges.
    pub fn boundary_edges(&self) -> usize {
        self.bedge_nodes.len()
    }
}
