//! Periodic meshes of the unit square: triangles in the closed square, whose vertices on opposite sides match.

mod check;
mod make;

pub use check::Boundary;
pub use make::Kind;

/// A triangulation of the unit square.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The place of each vertex. A vertex on a side has an image on the opposite one, which is a vertex of its own.
    pub vertices: Vec<[f64; 2]>,
    /// The vertices of each triangle, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The places of the three vertices of each triangle.
    ///
    /// # Panics
    /// If a triangle names a vertex that is not there.
    pub fn corners(&self) -> Vec<[[f64; 2]; 3]> {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize])).collect()
    }

    /// The length of the longest edge: the default scale of the filter, and the size of the grid's cells.
    ///
    /// # Panics
    /// If a triangle names a vertex that is not there.
    pub fn longest_edge(&self) -> f64 {
        longest_edge(&self.corners())
    }
}

/// The length of the longest edge of triangles.
pub fn longest_edge(corners: &[[[f64; 2]; 3]]) -> f64 {
    let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let longest = |t: &[[f64; 2]; 3]| length(t[0], t[1]).max(length(t[1], t[2])).max(length(t[2], t[0]));
    corners.iter().map(longest).fold(0.0, f64::max)
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
pub fn twice_area([a, b, c]: &[[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}
