//! Triangulations of a domain in the plane.

/// A triangulation. Its domain may have holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The place of each vertex.
    pub vertices: Vec<[f64; 2]>,
    /// The vertices of each facet, counter-clockwise.
    pub facets: Vec<[u32; 3]>,
}
