//! Meshes of the unit square.

use crate::lattice::{Corner, Lattice};
use crate::number::{Parts, cell_nodes, check_counts};
use crate::permutation::Shuffler;
use crate::{Builder, Error, Permutation};

/// Cells with four corners.
pub type Quads = Mesh<4>;

/// Cells with three corners.
pub type Triangles = Mesh<3>;

/// A mesh of the unit square, with cells of `C` corners.
///
/// Every map is a list of rows, one per element of the set that it starts from. There are four sets: nodes, cells,
/// interior *edges* between two cells, and *bedges* on the boundary. A periodic mesh has no bedges.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh<const C: usize> {
    /// Coordinates of the nodes, between 0 and 1.
    pub x: Vec<[f64; 2]>,
    /// Cells to nodes: the corners, counter-clockwise.
    pub cell_nodes: Vec<[u32; C]>,
    /// Cells to all edges: edge `k` connects the corners `k` and `k + 1`, the last edge the last corner and the first.
    /// Bedges are numbered after the interior edges, as in [`all_edge_nodes`](Self::all_edge_nodes).
    pub cell_edges: Vec<[u32; C]>,
    /// Interior edges to nodes: the two ends. Seen from the first end towards the second, the first cell of the edge is
    /// on the left and the second on the right. So, with `(dx, dy)` from first end to second, the normal `(dy, −dx)`
    /// points from the first cell to the second.
    pub edge_nodes: Vec<[u32; 2]>,
    /// Interior edges to cells: the two adjacent cells, which always differ.
    pub edge_cells: Vec<[u32; 2]>,
    /// Bedges to nodes: the two ends, with the cell on the left. So the normal `(dy, −dx)` points out of the mesh.
    pub bedge_nodes: Vec<[u32; 2]>,
    /// Bedges to cells: the adjacent cell.
    pub bedge_cell: Vec<[u32; 1]>,
}

/// New orders of the sets of a [`Mesh`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbering {
    /// The order of the nodes.
    pub nodes: Permutation,
    /// The order of the interior edges.
    pub edges: Permutation,
    /// The order of the boundary edges.
    pub bedges: Permutation,
    /// The order of the cells.
    pub cells: Permutation,
}

/// A mesh of `nx` by `ny` quadrilaterals.
pub fn quads(nx: usize, ny: usize) -> Builder<2, Quads> {
    Builder::new([nx, ny], |lattice| make(lattice, &[[0b00, 0b01, 0b11, 0b10]]))
}

/// A mesh of `nx` by `ny` rectangles, each cut along the diagonal from its lower left corner into two triangles, the
/// lower one first.
pub fn triangles(nx: usize, ny: usize) -> Builder<2, Triangles> {
    Builder::new([nx, ny], |lattice| make(lattice, &[[0b00, 0b01, 0b11], [0b00, 0b11, 0b10]]))
}

impl<const C: usize> Mesh<C> {
    /// All edges to nodes, for node-centred schemes: the interior edges followed by the bedges.
    pub fn all_edge_nodes(&self) -> Vec<[u32; 2]> {
        [&self.edge_nodes[..], &self.bedge_nodes].concat()
    }

    /// The same mesh with the elements of all its sets in a random order, and that order. The same `seed` gives the
    /// same mesh on every machine.
    ///
    /// The order within each row stays, and so do the orientations that the fields state.
    pub fn shuffled(&self, seed: u64) -> (Self, Renumbering) {
        let mut shuffler = Shuffler::new(seed);
        let by = Renumbering {
            nodes: shuffler.order(self.x.len()),
            edges: shuffler.order(self.edge_nodes.len()),
            bedges: shuffler.order(self.bedge_nodes.len()),
            cells: shuffler.order(self.cell_nodes.len()),
        };
        (self.renumbered(&by), by)
    }

    /// The same mesh with its sets in the orders `by`.
    ///
    /// # Panics
    /// If `by` belongs to a mesh of another size.
    pub fn renumbered(&self, by: &Renumbering) -> Self {
        Self {
            x: by.nodes.rows(&self.x),
            cell_nodes: by.cells.map(&self.cell_nodes, &by.nodes),
            cell_edges: by.cells.map(&self.cell_edges, &by.edges.then(&by.bedges)),
            edge_nodes: by.edges.map(&self.edge_nodes, &by.nodes),
            edge_cells: by.edges.map(&self.edge_cells, &by.cells),
            bedge_nodes: by.bedges.map(&self.bedge_nodes, &by.nodes),
            bedge_cell: by.bedges.map(&self.bedge_cell, &by.cells),
        }
    }
}

impl Renumbering {
    /// The inverse: `mesh.renumbered(&by).renumbered(&by.inverse())` is `mesh`.
    pub fn inverse(&self) -> Self {
        Self {
            nodes: self.nodes.inverse(),
            edges: self.edges.inverse(),
            bedges: self.bedges.inverse(),
            cells: self.cells.inverse(),
        }
    }
}

/// Cuts every rectangle into the given cells, whose corners go counter-clockwise.
fn make<const C: usize>(lattice: &Lattice<2>, cells: &[[Corner; C]]) -> Result<Mesh<C>, Error> {
    let edges: Parts<C, 2> = Parts::new(cells, &std::array::from_fn(|k| [k, (k + 1) % C]));
    check_counts(&[
        ("nodes", lattice.count(0)),
        ("edges", edges.count(lattice)),
        ("cells", lattice.count(0b11).saturating_mul(cells.len() as u128)),
    ])?;
    let x = lattice.coordinates()?;
    let edges = edges.number(lattice).into_faces();
    Ok(Mesh {
        x,
        cell_nodes: cell_nodes(lattice, cells),
        cell_edges: edges.of_cell,
        edge_nodes: edges.nodes,
        edge_cells: edges.cells,
        bedge_nodes: edges.boundary_nodes,
        bedge_cell: edges.boundary_cell,
    })
}
