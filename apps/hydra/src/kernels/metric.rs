//! The coefficients of gradients that depend on the mesh alone, computed once.

use op2::Float;

use super::data::Metric;
use super::gas::{between, dot};

/// Both ends of an edge gather what belongs to `edgecon`: the matrix of half Δx times the dual face, the
/// sum of the weights 1/|Δx|, and that of the weighted Δx.
#[op2::kernel]
pub fn geometry<F: Float>(x: [&[F; 3]; 2], normal: &[F; 3], metric: [&mut Metric<F>; 2]) {
    let dx = between(x[0], x[1]);
    let weight = F::lit(1.0) / dot(&dx, &dx).sqrt();
    for i in 0..3 {
        for j in 0..3 {
            let part = F::lit(0.5) * dx[i] * normal[j];
            metric[0].matrix[i][j] += part;
            metric[1].matrix[i][j] += part;
        }
        metric[0].mean[i] += weight * dx[i];
        metric[1].mean[i] -= weight * dx[i];
    }
    metric[0].weight += weight;
    metric[1].weight += weight;
}

/// Makes of a node's matrix the one that turns the sums of `edgecon` into gradients, its transposed inverse, and of
/// the other sums means; counts the nodes whose edges span no volume.
///
/// For a linear field with the gradient g, half Δq n is half n Δxᵀ g, so that the sum is Mᵀ g.
#[op2::kernel]
pub fn invert<F: Float>(metric: &mut Metric<F>, flat: &mut u32) {
    let m = metric.matrix;
    // Cofactors are the transposed inverse times the determinant.
    let c = [
        [
            m[1][1] * m[2][2] - m[1][2] * m[2][1],
            m[1][2] * m[2][0] - m[1][0] * m[2][2],
            m[1][0] * m[2][1] - m[1][1] * m[2][0],
        ],
        [
            m[0][2] * m[2][1] - m[0][1] * m[2][2],
            m[0][0] * m[2][2] - m[0][2] * m[2][0],
            m[0][1] * m[2][0] - m[0][0] * m[2][1],
        ],
        [
            m[0][1] * m[1][2] - m[0][2] * m[1][1],
            m[0][2] * m[1][0] - m[0][0] * m[1][2],
            m[0][0] * m[1][1] - m[0][1] * m[1][0],
        ],
    ];
    let determinant = dot(&m[0], &c[0]);
    let mut size = F::lit(0.0);
    for row in m {
        for x in row {
            size += x * x;
        }
    }
    // An eigenvalue below 1e-8 of the others is none; mind that dual cells in boundary layers are flat. Nor is one that
    // roundings of the sums may have left, which in single precision are far greater, or whose last digits the range of the
    // floats cuts off.
    let none = F::lit(1e-14).max(F::lit(32.0) * F::EPSILON) * size * size.sqrt();
    if determinant.is_nan() || determinant.abs() <= none.max(F::MIN_POSITIVE) {
        *flat += 1;
    }
    for i in 0..3 {
        for j in 0..3 {
            metric.matrix[i][j] = c[i][j] / determinant;
        }
        metric.mean[i] /= metric.weight;
    }
}
