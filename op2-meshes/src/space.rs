//! Meshes of the unit cube.

use crate::lattice::{Corner, Lattice};
use crate::number::{Parts, cell_nodes, check_counts};
use crate::permutation::Shuffler;
use crate::{Builder, Error, Permutation};

/// Cells with eight corners.
///
/// Corners 0 to 3 go around the lower side, `(0,0) (1,0) (1,1) (0,1)` in x and y, and 4 to 7 lie above them. Edges of a
/// cell are 01 12 23 30 (below), 45 56 67 74 (above) and 04 15 26 37; its faces are those at the lower and the upper
/// end of x, y and z, in this order.
pub type Hexahedra = Mesh<8, 12, 6, 4>;

/// Cells with four corners.
///
/// Seen from corner 3, corners 0, 1 and 2 go counter-clockwise, so that the volume `(b × c)·d / 6` is positive, with
/// `b`, `c` and `d` from corner 0 to the corners 1, 2 and 3. Edges of a cell are 01 02 03 12 13 23; face `k` is
/// opposite corner `k`.
pub type Tetrahedra = Mesh<4, 6, 4, 3>;

/// A mesh of the unit cube, with cells of `C` corners, `E` edges and `F` faces, and faces of `N` corners.
///
/// Every map is a list of rows, one per element of the set that it starts from. There are five sets: nodes, all edges,
/// cells, interior *faces* between two cells, and *bfaces* on the boundary. A periodic mesh has no bfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh<const C: usize, const E: usize, const F: usize, const N: usize> {
    /// Coordinates of the nodes, between 0 and 1.
    pub x: Vec<[f64; 3]>,
    /// Cells to nodes: the corners, in the order documented at [`Hexahedra`] and [`Tetrahedra`].
    pub cell_nodes: Vec<[u32; C]>,
    /// Cells to edges, in the order documented there.
    pub cell_edges: Vec<[u32; E]>,
    /// Cells to all faces, in the order documented there. Bfaces are numbered after the interior faces, as in
    /// [`all_face_nodes`](Self::all_face_nodes).
    pub cell_faces: Vec<[u32; F]>,
    /// Edges to nodes: the two ends. No coordinate decreases from the first to the second, except at the border of a
    /// periodic mesh.
    pub edge_nodes: Vec<[u32; 2]>,
    /// Interior faces to nodes: the corners, counter-clockwise as seen from the second cell. So the normal `(b − a) ×
    /// (c − b)` of the first three corners `a`, `b`, `c` points from the first cell to the second.
    pub face_nodes: Vec<[u32; N]>,
    /// Interior faces to cells: the two adjacent cells, which always differ.
    pub face_cells: Vec<[u32; 2]>,
    /// Bfaces to nodes: the corners, counter-clockwise as seen from outside. So the normal points out of the mesh.
    pub bface_nodes: Vec<[u32; N]>,
    /// Bfaces to cells: the adjacent cell.
    pub bface_cell: Vec<[u32; 1]>,
}

/// New orders of the sets of a [`Mesh`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbering {
    /// The order of the nodes.
    pub nodes: Permutation,
    /// The order of the edges.
    pub edges: Permutation,
    /// The order of the interior faces.
    pub faces: Permutation,
    /// The order of the boundary faces.
    pub bfaces: Permutation,
    /// The order of the cells.
    pub cells: Permutation,
}

/// A mesh of `nx` by `ny` by `nz` hexahedra.
pub fn hexahedra(nx: usize, ny: usize, nz: usize) -> Builder<3, Hexahedra> {
    Builder::new([nx, ny, nz], |lattice| HEXAHEDRA.make(lattice))
}

/// A mesh of `nx` by `ny` by `nz` bricks, each cut into six tetrahedra with consecutive numbers.
///
/// The cut is Kuhn's: there is one tetrahedron for each path from the brick's lowest corner to its highest along the
/// axes (H. W. Kuhn, *Some combinatorial lemmas in topology*, IBM Journal 4, 1960). It cuts opposite sides of a brick
/// along the same diagonal, so that tetrahedra of adjacent bricks share whole faces.
pub fn tetrahedra(nx: usize, ny: usize, nz: usize) -> Builder<3, Tetrahedra> {
    Builder::new([nx, ny, nz], |lattice| TETRAHEDRA.make(lattice))
}

impl<const C: usize, const E: usize, const F: usize, const N: usize> Mesh<C, E, F, N> {
    /// All faces to nodes: the interior faces followed by the bfaces.
    pub fn all_face_nodes(&self) -> Vec<[u32; N]> {
        [&self.face_nodes[..], &self.bface_nodes].concat()
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
            faces: shuffler.order(self.face_nodes.len()),
            bfaces: shuffler.order(self.bface_nodes.len()),
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
            cell_edges: by.cells.map(&self.cell_edges, &by.edges),
            cell_faces: by.cells.map(&self.cell_faces, &by.faces.then(&by.bfaces)),
            edge_nodes: by.edges.map(&self.edge_nodes, &by.nodes),
            face_nodes: by.faces.map(&self.face_nodes, &by.nodes),
            face_cells: by.faces.map(&self.face_cells, &by.cells),
            bface_nodes: by.bfaces.map(&self.bface_nodes, &by.nodes),
            bface_cell: by.bfaces.map(&self.bface_cell, &by.cells),
        }
    }
}

impl Hexahedra {
    /// The ends of a cell's edges, as positions in its row.
    pub const EDGES: [[usize; 2]; 12] = HEXAHEDRA.edges;
    /// The corners of a cell's faces, counter-clockwise as seen from outside, as positions in its row.
    pub const FACES: [[usize; 4]; 6] = HEXAHEDRA.faces;
}

impl Tetrahedra {
    /// The ends of a cell's edges, as positions in its row.
    pub const EDGES: [[usize; 2]; 6] = TETRAHEDRA.edges;
    /// The corners of a cell's faces, counter-clockwise as seen from outside, as positions in its row.
    pub const FACES: [[usize; 3]; 4] = TETRAHEDRA.faces;
}

impl Renumbering {
    /// The inverse: `mesh.renumbered(&by).renumbered(&by.inverse())` is `mesh`.
    pub fn inverse(&self) -> Self {
        Self {
            nodes: self.nodes.inverse(),
            edges: self.edges.inverse(),
            faces: self.faces.inverse(),
            bfaces: self.bfaces.inverse(),
            cells: self.cells.inverse(),
        }
    }
}

/// A rule that cuts bricks into cells.
struct Cut<const C: usize, const E: usize, const F: usize, const N: usize> {
    /// The brick's corners at the corners of each cell.
    cells: &'static [[Corner; C]],
    /// The ends of a cell's edges, as positions in its row.
    edges: [[usize; 2]; E],
    /// The corners of a cell's faces, counter-clockwise as seen from outside, as positions in its row.
    faces: [[usize; N]; F],
}

const HEXAHEDRA: Cut<8, 12, 6, 4> = Cut {
    cells: &[[0b000, 0b001, 0b011, 0b010, 0b100, 0b101, 0b111, 0b110]],
    edges: [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]],
    faces: [[0, 4, 7, 3], [1, 2, 6, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 3, 2, 1], [4, 5, 6, 7]],
};

/// A path that takes the axes in an odd order has its two middle corners exchanged, so that its volume is positive.
const TETRAHEDRA: Cut<4, 6, 4, 3> = Cut {
    cells: &[
        [0b000, 0b001, 0b011, 0b111],
        [0b000, 0b101, 0b001, 0b111],
        [0b000, 0b010, 0b110, 0b111],
        [0b000, 0b011, 0b010, 0b111],
        [0b000, 0b100, 0b101, 0b111],
        [0b000, 0b110, 0b100, 0b111],
    ],
    edges: [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
    faces: [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]],
};

impl<const C: usize, const E: usize, const F: usize, const N: usize> Cut<C, E, F, N> {
    fn make(&self, lattice: &Lattice<3>) -> Result<Mesh<C, E, F, N>, Error> {
        let edges = Parts::new(self.cells, &self.edges).ascending();
        let faces = Parts::new(self.cells, &self.faces);
        check_counts(&[
            ("nodes", lattice.count(0)),
            ("edges", edges.count(lattice)),
            ("faces", faces.count(lattice)),
            ("cells", lattice.count(0b111).saturating_mul(self.cells.len() as u128)),
        ])?;
        let x = lattice.coordinates()?;
        let edges = edges.number(lattice);
        let faces = faces.number(lattice).into_faces();
        Ok(Mesh {
            x,
            cell_nodes: cell_nodes(lattice, self.cells),
            cell_edges: edges.of_cell,
            cell_faces: faces.of_cell,
            edge_nodes: edges.nodes,
            face_nodes: faces.nodes,
            face_cells: faces.cells,
            bface_nodes: faces.boundary_nodes,
            bface_cell: faces.boundary_cell,
        })
    }
}
