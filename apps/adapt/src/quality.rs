//! The quality of a mesh in a metric.

use serde::Serialize;

use crate::mesh::edges::{Edges, around};
use crate::mesh::{Mesh, twice_area};
use crate::metric::{Tensor, area, is_long, is_short, length};

/// The number of equal parts into which the histogram divides the qualities from 0 to 1.
pub const BINS: usize = 10;

/// The quality of all facets and edges of a mesh.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Quality {
    /// The smallest angle of all facets, in degrees, as the eye sees it: without the metric.
    pub smallest_angle: f64,
    /// The least quality of a facet, as of [`of_facet`].
    pub worst: f64,
    /// The mean quality.
    pub mean: f64,
    /// How many facets have a quality in each tenth from 0 to 1.
    pub histogram: [usize; BINS],
    /// The number of edges.
    pub edges: usize,
    /// Edges shorter than [`LLOW`](crate::metric::LLOW) in the metric.
    pub short_edges: usize,
    /// Edges longer than [`LUP`](crate::metric::LUP) in the metric.
    pub long_edges: usize,
}

impl Quality {
    /// The quality of a mesh with `tensors` at its vertices.
    ///
    /// # Panics
    /// If a facet names a vertex that is not there, or a vertex has no tensor.
    pub fn of(mesh: &Mesh, tensors: &[Tensor]) -> Self {
        let mut quality = Self { smallest_angle: 180.0, worst: 1.0, ..Self::default() };
        let edges = Edges::of(&mesh.facets, mesh.vertices.len());
        let mut sum = 0.0;
        for (number, facet) in mesh.facets.iter().enumerate() {
            let corners = mesh.corners(number);
            let q = of_facet(&corners, facet.map(|v| tensors[v as usize]));
            sum += q;
            quality.worst = quality.worst.min(q);
            quality.histogram[((q * BINS as f64) as usize).min(BINS - 1)] += 1;
            quality.smallest_angle = quality.smallest_angle.min(smallest_angle(&corners));
            for [a, b] in around(*facet) {
                // An edge inside is there in both directions.
                if a < b || edges.facet([b, a]).is_none() {
                    let [p, q] = [a, b].map(|v| v as usize);
                    let [a, b] = [p, q].map(|v| mesh.vertices[v]);
                    quality.edges += 1;
                    quality.short_edges += usize::from(is_short(a, b, tensors[p], tensors[q]));
                    quality.long_edges += usize::from(is_long(a, b, tensors[p], tensors[q]));
                }
            }
        }
        quality.mean = sum / mesh.facets.len().max(1) as f64;
        quality
    }
}

/// The quality of a facet in a metric, from 0 for a flat one to 1 for one whose edges are 1 long: 12√3·A/p²·F(p/3) with its
/// area A and perimeter p in the metric, and F(x) = (m·(2 - m))³, m = min(x, 1/x). The factor before F is about the shape,
/// F about the size. After Y. Vasilevskii and K. Lipnikov, *An adaptive algorithm for quasioptimal mesh generation* (Comput.
/// Math. Math. Phys. 39, 1999), which the thesis names in section 2.2.
pub fn of_facet(corners: &[[f64; 2]; 3], tensors: [Tensor; 3]) -> f64 {
    let perimeter: f64 =
        [[0, 1], [1, 2], [2, 0]].iter().map(|[a, b]| length(corners[*a], corners[*b], tensors[*a], tensors[*b])).sum();
    let x = perimeter / 3.0;
    let m = x.min(1.0 / x);
    let quality = 12.0 * 3.0_f64.sqrt() * area(corners, tensors) / (perimeter * perimeter) * (m * (2.0 - m)).powi(3);
    // Area and lengths take means of tensors in different ways, so that the value may pass the bound where these vary.
    quality.clamp(0.0, 1.0)
}

/// The smallest angle of a triangle, in degrees.
fn smallest_angle(corners: &[[f64; 2]; 3]) -> f64 {
    let double = twice_area(corners);
    let angle = |k: usize| {
        let [a, b, c] = [0, 1, 2].map(|n| corners[(k + n) % 3]);
        let dot = (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]);
        double.atan2(dot)
    };
    (0..3).map(angle).fold(f64::INFINITY, f64::min).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EUCLID: Tensor = [1.0, 0.0, 1.0];

    fn equilateral(side: f64) -> [[f64; 2]; 3] {
        [[0.0, 0.0], [side, 0.0], [0.5 * side, 0.75_f64.sqrt() * side]]
    }

    #[test]
    fn equilateral_facets_of_unit_edges_are_perfect_and_others_less() {
        let of = |corners: &[[f64; 2]; 3]| of_facet(corners, [EUCLID; 3]);
        assert!((of(&equilateral(1.0)) - 1.0).abs() < 1e-14);
        // Twice or half the size: m = ½, (½ · 3/2)³.
        for side in [2.0, 0.5] {
            assert!((of(&equilateral(side)) - 0.421875).abs() < 1e-14, "{side}");
        }
        // The half of a square whose perimeter is 3: only the shape is wrong, 12√3·A/9.
        let side = 3.0 / (2.0 + 2.0_f64.sqrt());
        let half = [[0.0, 0.0], [side, 0.0], [0.0, side]];
        let expected = 12.0 * 3.0_f64.sqrt() * 0.5 * side * side / 9.0;
        assert!((of(&half) - expected).abs() < 1e-14 && expected < 0.9);
        assert_eq!(of(&[[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]), 0.0);
    }

    /// A flat facet is perfect in the metric that asks for it.
    #[test]
    fn quality_is_that_in_the_metric() {
        let corners = equilateral(1.0).map(|[x, y]| [x, 0.01 * y]);
        assert!((of_facet(&corners, [[1.0, 0.0, 1e4]; 3]) - 1.0).abs() < 1e-12);
        assert!(of_facet(&corners, [EUCLID; 3]) < 0.05);
    }

    #[test]
    fn a_mesh_is_counted_by_facets_and_edges() {
        // Two halves of a square of side 1; edges of 1 are neither short nor long, and the diagonal is as long as may be.
        let mesh =
            Mesh { vertices: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], facets: vec![[0, 1, 2], [0, 2, 3]] };
        let of = |scale: f64| Quality::of(&mesh, &[[scale * scale, 0.0, scale * scale]; 4]);
        let quality = of(0.999);
        assert_eq!((quality.edges, quality.short_edges, quality.long_edges), (5, 0, 0));
        assert!((quality.smallest_angle - 45.0).abs() < 1e-12 && quality.histogram.iter().sum::<usize>() == 2);
        assert_eq!(quality.histogram[(quality.mean * 10.0) as usize], 2);
        assert!((quality.mean - quality.worst).abs() < 1e-14);
        let [coarse, fine] = [of(1.1), of(0.6)];
        assert_eq!((coarse.short_edges, coarse.long_edges), (0, 1));
        assert_eq!((fine.short_edges, fine.long_edges), (4, 0));
        assert_eq!(Quality::of(&mesh, &[[0.1, 0.0, 0.1]; 4]).short_edges, 5);
    }
}
