//! The median dual of a mesh of the cube: the geometry for node-centred schemes.
//!
//! The dual cell of a node consists of a part of each cell around it: the points that are nearer to this node than to
//! others in the cell's own coordinates. It is bounded by the midpoints of edges and the centroids of faces and cells,
//! as T. J. Barth describes (*Aspects of unstructured grids and finite-volume solvers for the Euler and Navier–Stokes
//! equations*, AGARD R-787, 1992). Centroids are means of corners. The pieces of the boundary are quadrilaterals that
//! need not be plane. Their area vectors depend only on their corners, so dual cells close up to rounding, however
//! distorted the cells are.

use crate::space::{Hexahedra, Mesh, Tetrahedra};

type Vector = [f64; 3];

/// Areas and volumes of the median dual of a mesh whose boundary faces have `N` corners.
#[derive(Clone, Debug, PartialEq)]
pub struct Dual<const N: usize> {
    /// For each edge, the area vector of the dual face that crosses it, directed from the edge's first node to its
    /// second.
    pub normals: Vec<[f64; 3]>,
    /// For each node, the volume of its dual cell. The volumes add up to that of the mesh.
    pub volumes: Vec<f64>,
    /// For each bface, the outward area vectors of its parts, one for each corner, in the order of `bface_nodes`.
    pub boundary: Vec<[[f64; 3]; N]>,
}

impl Hexahedra {
    /// The median dual for the coordinates in `x`, which may have been moved since the mesh was built.
    ///
    /// # Panics
    /// If the mesh has no boundary: the coordinates of a periodic mesh jump.
    pub fn dual(&self) -> Dual<4> {
        dual(self, &sides(&Self::EDGES, &Self::FACES))
    }
}

impl Tetrahedra {
    /// The median dual for the coordinates in `x`, which may have been moved since the mesh was built.
    ///
    /// # Panics
    /// If the mesh has no boundary: the coordinates of a periodic mesh jump.
    pub fn dual(&self) -> Dual<3> {
        dual(self, &sides(&Self::EDGES, &Self::FACES))
    }
}

/// An edge of a cell: the positions of its ends, and the two faces that meet there.
struct Side<const N: usize> {
    ends: [usize; 2],
    /// The corners of the left face, seen from outside along the edge, then those of the right face.
    faces: [[usize; N]; 2],
}

/// The faces at each edge. A face lies on the left of an edge if its corners, counter-clockwise from outside, contain
/// the edge's ends in order.
fn sides<const E: usize, const F: usize, const N: usize>(
    edges: &[[usize; 2]; E],
    faces: &[[usize; N]; F],
) -> [Side<N>; E] {
    edges.map(|[a, b]| {
        let along = |from: usize, to: usize| {
            let found = faces.iter().find(|face| (0..N).any(|k| face[k] == from && face[(k + 1) % N] == to));
            *found.expect("an edge of a cell lies in two of its faces, once in either direction")
        };
        Side { ends: [a, b], faces: [along(a, b), along(b, a)] }
    })
}

fn dual<const C: usize, const E: usize, const F: usize, const N: usize>(
    mesh: &Mesh<C, E, F, N>,
    sides: &[Side<N>; E],
) -> Dual<N> {
    assert!(!mesh.bface_nodes.is_empty() || mesh.cell_nodes.is_empty(), "the mesh is periodic: it has no boundary");
    let mut normals = vec![[0.0; 3]; mesh.edge_nodes.len()];
    for (corners, edges) in mesh.cell_nodes.iter().zip(&mesh.cell_edges) {
        let x = corners.map(|corner| mesh.x[corner as usize]);
        let centre = mean(&x);
        for (&edge, side) in edges.iter().zip(sides) {
            let ends = side.ends.map(|end| x[end]);
            let [left, right] = side.faces.map(|face| mean(&face.map(|corner| x[corner])));
            // The diagonals of the quadrilateral go from the middle to the centre and from right to left.
            let piece = cross(minus(centre, mean(&ends)), minus(left, right));
            let forward = mesh.edge_nodes[edge as usize][0] == corners[side.ends[0]];
            add(&mut normals[edge as usize], if forward { 0.5 } else { -0.5 }, piece);
        }
    }
    Dual { volumes: volumes(mesh, &normals), boundary: boundary(mesh), normals }
}

/// The volumes of dual cells. Each end of an edge forms a pyramid with the dual face: a third of height times area,
/// where the height is half the edge's extent along the normal.
fn volumes<const C: usize, const E: usize, const F: usize, const N: usize>(
    mesh: &Mesh<C, E, F, N>,
    normals: &[Vector],
) -> Vec<f64> {
    let mut volumes = vec![0.0; mesh.x.len()];
    for (&[a, b], &normal) in mesh.edge_nodes.iter().zip(normals) {
        let pyramid = dot(minus(mesh.x[b as usize], mesh.x[a as usize]), normal) / 6.0;
        volumes[a as usize] += pyramid;
        volumes[b as usize] += pyramid;
    }
    volumes
}

fn boundary<const C: usize, const E: usize, const F: usize, const N: usize>(
    mesh: &Mesh<C, E, F, N>,
) -> Vec<[Vector; N]> {
    let of_face = |corners: &[u32; N]| {
        let x = corners.map(|corner| mesh.x[corner as usize]);
        let centre = mean(&x);
        std::array::from_fn(|k| {
            let [before, after] = [x[(k + N - 1) % N], x[(k + 1) % N]].map(|other| mean(&[x[k], other]));
            cross(minus(centre, x[k]), minus(before, after)).map(|n| 0.5 * n)
        })
    };
    mesh.bface_nodes.iter().map(of_face).collect()
}

fn mean(points: &[Vector]) -> Vector {
    let mut sum = [0.0; 3];
    points.iter().for_each(|&point| add(&mut sum, 1.0, point));
    sum.map(|s| s / points.len() as f64)
}

fn add(sum: &mut Vector, factor: f64, summand: Vector) {
    sum.iter_mut().zip(summand).for_each(|(sum, x)| *sum += factor * x);
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
