//! Gradients and pseudo-Laplacians of the unknowns.

use op2::Float;

use super::gas::{between, dot};
use crate::physics::UNKNOWNS;

/// Both ends of an edge see the other's unknowns: the change to the middle times the dual face for the gradient, the
/// change over the length for the Laplacian.
///
/// `solve_gradients` makes of the first gradients that are exact for linear fields, inside and on the boundary, and
/// of the second the pseudo-Laplacians that vanish for linear fields (P. Moinier, J.-D. Müller, M. B. Giles, AIAA
/// Journal 40, 2002).
#[op2::kernel]
pub fn edgecon<F: Float>(
    q: [&[F; UNKNOWNS]; 2],
    x: [&[F; 3]; 2],
    normal: &[F; 3],
    grad: [&mut [[F; 3]; UNKNOWNS]; 2],
    lap: [&mut [F; UNKNOWNS]; 2],
) {
    let dx = between(x[0], x[1]);
    let weight = F::lit(1.0) / dot(&dx, &dx).sqrt();
    for n in 0..UNKNOWNS {
        let change = q[1][n] - q[0][n];
        for d in 0..3 {
            // The other end has the change and the face both turned round.
            let part = F::lit(0.5) * change * normal[d];
            grad[0][n][d] += part;
            grad[1][n][d] += part;
        }
        lap[0][n] += weight * change;
        lap[1][n] -= weight * change;
    }
}
