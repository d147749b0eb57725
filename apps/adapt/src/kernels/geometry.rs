//! Lengths of edges in the metric, and areas of facets.

/// The square of [`metric::length`](crate::metric::length), by the same operations: of an edge from `a` to `b` with the tensors at its
/// ends. Turning the edge round gives the same bits.
#[op2::device_fn]
pub fn squared_length(a: [f64; 2], b: [f64; 2], ma: [f64; 3], mb: [f64; 3]) -> f64 {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let m = [0.5 * (ma[0] + mb[0]), 0.5 * (ma[1] + mb[1]), 0.5 * (ma[2] + mb[2])];
    m[0] * x * x + 2.0 * m[1] * x * y + m[2] * y * y
}

/// Twice the area of a facet: positive if its corners are counter-clockwise.
#[op2::device_fn]
pub fn twice_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}
