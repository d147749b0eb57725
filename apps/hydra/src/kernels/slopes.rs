//! Sums that are accumulated once per iteration: slopes by least squares, and spectral radii for time steps.

use op2::Float;

use super::data::{Aux, Radii};
use super::gas::{Specific, between, dot, own_diffusion, reciprocals, roe_mean, specific};
use crate::physics::sa::DIFFUSION;
use crate::physics::{CONDUCTION, CONDUCTION_TURBULENT, GAMMA, ON_WALL, UNKNOWNS};

/// Both ends of an edge see the other's primitive variables, by weighted least squares, and the waves along the edge.
///
/// *Slopes.* The sums of w Δφ Δx and w Δx Δxᵀ, from which `solve_slopes` makes gradients that are exact for linear
/// fields (T. J. Barth, AGARD R-787, 1992). Weights fall with the square of the distance; what the edge climbs away
/// from the wall counts twice, since there profiles are curved most (our own choice; any positive weight keeps the
/// exactness).
///
/// *Radii.* The inviscid one is the fastest of three waves, of both ends and of Roe's mean between them (B. Einfeldt,
/// SIAM J. Numer. Anal. 25, 1988, has this bound for his Riemann solver); the viscous one the greatest diffusivity of
/// momentum, heat and turbulence over the length of the edge. The area of the dual face is taken as mean volume over
/// length of edge, which is exact on bricks, so that the loop needs no data of its edges. Within a wall only heat
/// diffuses, as in `vflux`.
#[op2::kernel]
pub fn accu<F: Float>(
    q: [&[F; UNKNOWNS]; 2],
    x: [&[F; 3]; 2],
    aux: [&Aux<F>; 2],
    flag: [&i32; 2],
    slopes: [&mut [[F; 3]; UNKNOWNS]; 2],
    lsq: [&mut [F; 6]; 2],
    radius: [&mut Radii<F>; 2],
) {
    let dx = between(x[0], x[1]);
    let square = dot(&dx, &dx);
    let climb = aux[1].distance - aux[0].distance;
    let weight = F::lit(1.0) / (square + climb * climb);
    let (per_a, per_b) = reciprocals(q[0][0], q[1][0]);
    let a = specific(q[0], per_a, aux[0].pressure);
    let b = specific(q[1], per_b, aux[1].pressure);
    let from = primitive(&a, aux[0].temperature);
    let to = primitive(&b, aux[1].temperature);
    for n in 0..UNKNOWNS {
        let change = weight * (to[n] - from[n]);
        for d in 0..3 {
            slopes[0][n][d] += change * dx[d];
            slopes[1][n][d] += change * dx[d];
        }
    }
    let matrix = [dx[0] * dx[0], dx[0] * dx[1], dx[0] * dx[2], dx[1] * dx[1], dx[1] * dx[2], dx[2] * dx[2]];
    for k in 0..6 {
        lsq[0][k] += weight * matrix[k];
        lsq[1][k] += weight * matrix[k];
    }

    let per_length = F::lit(1.0) / square.sqrt();
    let area = F::lit(0.5) * per_length * (aux[0].volume + aux[1].volume);
    let mean = roe_mean(&a, &b, q[1][0] * per_a);
    let along = per_length * dot(&mean.velocity, &dx).abs();
    let ends = wave(&a, aux[0].sound, &dx, per_length).max(wave(&b, aux[1].sound, &dx, per_length));
    let inviscid = ends.max(along + mean.sound2.max(F::lit(0.0)).sqrt()) * area;
    let within = *flag[0] == ON_WALL && *flag[1] == ON_WALL;
    let (da, db) = (per_a * diffusivity(q[0], aux[0], within), per_b * diffusivity(q[1], aux[1], within));
    let viscous = da.max(db) * area * per_length;
    radius[0].inviscid += inviscid;
    radius[1].inviscid += inviscid;
    radius[0].viscous += viscous;
    radius[1].viscous += viscous;
}

/// Temperature, velocity, pressure, turbulence variable.
#[op2::device_fn]
fn primitive<F: Float>(of: &Specific<F>, temperature: F) -> [F; UNKNOWNS] {
    [temperature, of.velocity[0], of.velocity[1], of.velocity[2], of.pressure, of.turbulence]
}

/// Speed of the faster sound wave along an edge, of which `per_length` is one over the length.
#[op2::device_fn]
fn wave<F: Float>(of: &Specific<F>, sound: F, dx: &[F; 3], per_length: F) -> F {
    per_length * dot(&of.velocity, dx).abs() + sound
}

/// Greatest diffusivity of a state, times its density.
#[op2::device_fn]
fn diffusivity<F: Float>(q: &[F; UNKNOWNS], aux: &Aux<F>, within_wall: bool) -> F {
    let heat =
        F::lit(GAMMA * (GAMMA - 1.0)) * (F::lit(CONDUCTION) * aux.laminar + F::lit(CONDUCTION_TURBULENT) * aux.eddy);
    let momentum = F::lit(4.0 / 3.0) * (aux.laminar + aux.eddy);
    let turbulence = F::lit(DIFFUSION) * (aux.laminar + own_diffusion(q[5], aux.laminar));
    if within_wall { heat } else { heat.max(momentum).max(turbulence) }
}
