//! Metrics: symmetric positive definite tensors that say how long an edge is.

/// A tensor [m00, m01, m11].
pub type Tensor = [f64; 3];

/// Edges longer than this are divided.
pub const LUP: f64 = std::f64::consts::SQRT_2;

/// Edges shorter than this collapse.
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
