//! Metrics: symmetric positive definite tensors that say how long an edge is.

mod check;
mod file;
mod preset;

use crate::mesh::Mesh;

pub use preset::{Frame, Kind, Preset};

/// A node in error messages.
const NODE: &str = "node";

/// A tensor [m00, m01, m11].
pub type Tensor = [f64; 3];

/// Edges longer than this are divided.
pub const LUP: f64 = std::f64::consts::SQRT_2;

/// Edges shorter than this collapse: half of [`LUP`], so that no edge is both (the thesis, section 5.3).
pub const LLOW: f64 = LUP / 2.0;

/// A metric on the nodes of a regular grid, bilinear between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Nodes in x and y, at least two each.
    pub nodes: [usize; 2],
    /// The place of the first node.
    pub origin: [f64; 2],
    /// The distance between nodes in x and y.
    pub spacing: [f64; 2],
    /// The tensors, x fastest.
    pub values: Vec<Tensor>,
}

impl Metric {
    /// A metric with `nodes` over the bounding box of `mesh`, and there the values of `tensor`.
    pub fn over(mesh: &Mesh, nodes: [usize; 2], tensor: impl Fn([f64; 2]) -> Tensor) -> Self {
        Self::on(mesh.bounds(), nodes, tensor)
    }

    /// The same over a box, from its least to its greatest coordinates.
    fn on(bounds: [[f64; 2]; 2], nodes: [usize; 2], tensor: impl Fn([f64; 2]) -> Tensor) -> Self {
        let mut metric = Self::grid(bounds, nodes);
        let Self { origin, spacing, .. } = metric;
        let place = |i: usize, j: usize| [origin[0] + i as f64 * spacing[0], origin[1] + j as f64 * spacing[1]];
        let numbers = (0..nodes[1]).flat_map(|j| (0..nodes[0]).map(move |i| (i, j)));
        metric.values = numbers.map(|(i, j)| tensor(place(i, j))).collect();
        metric
    }

    /// A grid over a box, still without values.
    fn grid([least, greatest]: [[f64; 2]; 2], nodes: [usize; 2]) -> Self {
        let spacing = [0, 1].map(|k| (greatest[k] - least[k]) / (nodes[k].max(2) - 1) as f64);
        Self { nodes, origin: least, spacing, values: Vec::new() }
    }

    /// M = (s/h)² I, the same everywhere, with [`size`] h of `mesh`: s < 1 asks for coarser facets, s > 1 for finer ones.
    pub fn uniform(mesh: &Mesh, s: f64) -> Self {
        Preset { kind: Kind::Uniform, scale: s }.metric(&Frame::of(mesh), 0.0)
    }

    /// The tensor at a point, bilinear between the four nodes around it. Points outside the grid have the tensor of the
    /// nearest point of its border.
    ///
    /// # Panics
    /// If there are fewer than two nodes in x or y, or fewer values than nodes.
    pub fn at(&self, point: [f64; 2]) -> Tensor {
        let (node, [s, t]) = self.square(point);
        let first = node[1] * self.nodes[0] + node[0];
        let [a, b] = [first, first + 1].map(|n| self.values[n]);
        let [c, d] = [first + self.nodes[0], first + self.nodes[0] + 1].map(|n| self.values[n]);
        [0, 1, 2].map(|k| (1.0 - t) * ((1.0 - s) * a[k] + s * b[k]) + t * ((1.0 - s) * c[k] + s * d[k]))
    }

    /// Where a point lies in the grid: column and row of the lower left node of its square, and its position there, from 0 to 1.
    pub(crate) fn square(&self, point: [f64; 2]) -> ([usize; 2], [f64; 2]) {
        let along = [0, 1].map(|k| {
            let last = (self.nodes[k] - 1) as f64;
            ((point[k] - self.origin[k]) / self.spacing[k]).clamp(0.0, last)
        });
        let node = [0, 1].map(|k| (along[k] as usize).min(self.nodes[k] - 2));
        (node, [0, 1].map(|k| along[k] - node[k] as f64))
    }

    /// About how many facets the metric asks for: two for each unit of the domain's area in it.
    pub fn facets(&self, mesh: &Mesh) -> f64 {
        2.0 * preset::mean_density(self) * mesh.area()
    }

    /// The tensors at the vertices of a mesh.
    ///
    /// # Panics
    /// As [`Metric::at`].
    pub fn at_vertices(&self, mesh: &Mesh) -> Vec<Tensor> {
        mesh.vertices.iter().map(|place| self.at(*place)).collect()
    }
}

/// The area of a facet with its corners' tensors at the mean of these: the square root of its determinant times the area.
pub fn area(corners: &[[f64; 2]; 3], tensors: [Tensor; 3]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|k| (tensors[0][k] + tensors[1][k] + tensors[2][k]) / 3.0);
    0.5 * crate::mesh::twice_area(corners) * (a * c - b * b).sqrt()
}

/// The size h = √(2·area/facets) of a mesh: the side of a square that is cut into two facets of mean area.
///
/// # Panics
/// If a facet names a vertex that is not there.
pub fn size(mesh: &Mesh) -> f64 {
    (2.0 * mesh.area() / mesh.facets.len() as f64).sqrt()
}

/// The length of an edge from `a` to `b`, e = b - a, with the tensors at its ends: √(eᵀ ½(Ma + Mb) e).
pub fn length(a: [f64; 2], b: [f64; 2], ma: Tensor, mb: Tensor) -> f64 {
    squared_length(a, b, ma, mb).sqrt()
}

/// The square of [`length`]. Squares are compared with those of the bounds, 2 and ½, which are exact: [`LUP`] is not.
fn squared_length(a: [f64; 2], b: [f64; 2], ma: Tensor, mb: Tensor) -> f64 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    let m = [0, 1, 2].map(|k| 0.5 * (ma[k] + mb[k]));
    m[0] * x * x + 2.0 * m[1] * x * y + m[2] * y * y
}

/// Whether an edge is longer than [`LUP`].
pub fn is_long(a: [f64; 2], b: [f64; 2], ma: Tensor, mb: Tensor) -> bool {
    squared_length(a, b, ma, mb) > 2.0
}

/// Whether an edge is shorter than [`LLOW`].
pub fn is_short(a: [f64; 2], b: [f64; 2], ma: Tensor, mb: Tensor) -> bool {
    squared_length(a, b, ma, mb) < 0.5
}
