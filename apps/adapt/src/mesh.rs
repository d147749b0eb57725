//! Triangulations of a domain in the plane.

mod check;
pub mod edges;
mod file;
mod make;

use op2_meshes::Permutation;

pub use make::{Kind, MOST_FACETS};

/// A vertex in error messages.
pub(crate) const VERTEX: &str = "vertex";
/// A facet in error messages.
pub(crate) const FACET: &str = "facet";

/// A triangulation. Its domain may have holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The place of each vertex.
    pub vertices: Vec<[f64; 2]>,
    /// The vertices of each facet, counter-clockwise.
    pub facets: Vec<[u32; 3]>,
}

impl Mesh {
    /// The places of the three vertices of a facet.
    ///
    /// # Panics
    /// If there is no such facet, or it names a vertex that is not there.
    pub fn corners(&self, facet: usize) -> [[f64; 2]; 3] {
        self.facets[facet].map(|v| self.vertices[v as usize])
    }

    /// The sum of the areas of all facets.
    ///
    /// # Panics
    /// If a facet names a vertex that is not there.
    pub fn area(&self) -> f64 {
        sum((0..self.facets.len()).map(|facet| 0.5 * twice_area(&self.corners(facet))))
    }

    /// The least and the greatest coordinates of the vertices; both are 0 if there are none.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let Some(first) = self.vertices.first() else { return [[0.0; 2]; 2] };
        self.vertices.iter().fold([*first; 2], |[least, greatest], place| {
            [[0, 1].map(|k| least[k].min(place[k])), [0, 1].map(|k| greatest[k].max(place[k]))]
        })
    }

    /// The same mesh with its vertices and its facets numbered at random. The same `seed` gives the same numbers on every
    /// machine. The order of the vertices of a facet stays.
    ///
    /// # Panics
    /// If a facet names a vertex that is not there.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Self {
        let vertices = Permutation::random(self.vertices.len() as u32, seed);
        // A seed of its own, as far from the other as it goes.
        let facets = Permutation::random(self.facets.len() as u32, seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        Self { vertices: vertices.rows(&self.vertices), facets: facets.map(&self.facets, &vertices) }
    }
}

/// The sum of values with the rounding errors of the sum so far, after Kahan: verification compares sums over different facets.
pub(crate) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, _) = values.fold((0.0, 0.0), |(sum, error), value| {
        let corrected = value - error;
        let next = sum + corrected;
        (next, (next - sum) - corrected)
    });
    sum
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
pub fn twice_area([a, b, c]: &[[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}
