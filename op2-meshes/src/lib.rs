//! Mesh generators for the tests and benches of op2, and for hydra.
//!
//! Solvers on unstructured meshes need only sets and maps between them. This crate makes both for simple domains, in
//! any size: a square of quadrilaterals or triangles ([`plane`]), a cube of hexahedra or tetrahedra ([`space`]). The
//! result is plain vectors, which the user declares to op2, or to anything else.
//!
//! ```
//! use op2_meshes::plane;
//!
//! let mesh = plane::quads(3, 2).build()?;
//! assert_eq!(mesh.x.len(), 12); // nodes
//! assert_eq!(mesh.cell_nodes[4], [5, 6, 10, 9]); // counter-clockwise
//! assert_eq!(mesh.edge_nodes[3], [6, 5]); // from the first end to the second,
//! assert_eq!(mesh.edge_cells[3], [1, 4]); // cell 1 is on the left and cell 4 on the right
//! # assert_eq!(mesh.edge_cells, [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]]);
//! # assert_eq!(mesh.edge_nodes, [[1, 5], [5, 4], [2, 6], [6, 5], [7, 6], [5, 9], [6, 10]]);
//! # assert_eq!(mesh.bedge_cell.as_flattened(), [0, 0, 1, 2, 2, 3, 3, 4, 5, 5]);
//! # Ok::<(), op2_meshes::Error>(())
//! ```
//!
//! Nodes and cells of this mesh are numbered row by row. Its interior edges (`e`) are numbered in the order in which
//! cells reach them, each cell counter-clockwise from its lower side:
//!
//! ```text
//!   8 ────── 9 ───── 10 ───── 11
//!   │        │        │        │        y
//!   │   3   e5   4   e6   5    │        ↑
//!   │        │        │        │        └─→ x
//!   4 ──e1── 5 ──e3── 6 ──e4── 7
//!   │        │        │        │
//!   │   0   e0   1   e2   2    │
//!   │        │        │        │
//!   0 ────── 1 ────── 2 ────── 3
//! ```
//!
//! The same holds in every mesh: nodes and bricks are numbered with x running fastest, then y, then z; the cells that a
//! brick is cut into follow each other; edges and faces are numbered in the order in which cells reach them.
//!
//! # Meshes
//!
//! | | [`plane::quads`], [`plane::triangles`] | [`space::hexahedra`], [`space::tetrahedra`] |
//! | --- | --- | --- |
//! | cells | `cell_nodes`, `cell_edges` | `cell_nodes`, `cell_edges`, `cell_faces` |
//! | between two cells | `edge_nodes`, `edge_cells` | `face_nodes`, `face_cells` |
//! | on the boundary | `bedge_nodes`, `bedge_cell` | `bface_nodes`, `bface_cell` |
//! | all edges | `all_edge_nodes()` | `edge_nodes` |
//! | all faces | – | `all_face_nodes()` |
//!
//! [`dual`] has the areas and volumes that node-centred schemes need.
//!
//! Cell-centred schemes run over the interior edges or faces and their two cells, then over the boundary; node-centred
//! ones run over all edges and their two nodes. The fields of [`plane::Mesh`] and [`space::Mesh`] say which way rows
//! are oriented.
//!
//! # Options
//!
//! [`Builder::graded`] makes spacings grow, [`Builder::periodic`] joins opposite sides. A built mesh can be
//! [shuffled](plane::Mesh::shuffled), which takes away whatever locality its numbering has and leaves it the same mesh
//! otherwise. It comes with the new order:
//!
//! ```
//! use op2_meshes::space;
//!
//! let mesh = space::tetrahedra(5, 4, 3).graded([1.2, 1.0, 0.8]).build()?;
//! let (shuffled, by) = mesh.shuffled(42);
//! assert_ne!(shuffled, mesh);
//! assert_eq!(shuffled.renumbered(&by.inverse()), mesh);
//!
//! // The same for data: here the x coordinate of every node.
//! let data: Vec<f64> = shuffled.x.iter().map(|x| x[0]).collect();
//! let data = by.nodes.inverse().rows(&data);
//! assert!(data.iter().zip(&mesh.x).all(|(d, x)| *d == x[0]));
//! # Ok::<(), op2_meshes::Error>(())
//! ```

mod builder;
pub mod dual;
mod error;
mod lattice;
mod number;
mod permutation;
pub mod plane;
pub mod space;

pub use builder::Builder;
pub use error::{Error, MIN_SPACING};
pub use permutation::Permutation;
