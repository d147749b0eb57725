//! Fluxes through the boundary.

use super::gas::{convection, dot, pressure, roe_mean, velocity};
use super::inviscid::dissipation;
use crate::physics::kind::{INFLOW, OUTFLOW, STREAM};
use crate::physics::{GAMMA, UNKNOWNS};

/// What a part of the boundary adds to the inviscid radius of its node, so that the time step knows of waves that
/// come back from there: twice the fastest wave times the area, since half of all radii bounds the step.
#[op2::kernel]
pub fn boundary_radius(q: &[f64; UNKNOWNS], aux: &[f64; 7], normal: &[f64; 3], radius: &mut [f64; 2]) {
    let u = velocity(q);
    radius[0] += 2.0 * (dot(&u, normal).abs() + aux[2] * dot(normal, normal).sqrt());
}

/// The convective flux out of a node through its part of a boundary; friction and conduction are neglected there.
///
/// - Walls, with friction or without: pressure alone, that at which the flow towards the wall comes to rest, from the
///   linear Riemann problem with the mirrored state (E. F. Toro, *Riemann Solvers and Numerical Methods for Fluid
///   Dynamics*).
/// - Inflow: total pressure, total temperature and turbulence come from outside, the flow along x; one invariant
///   comes from inside.
/// - Outflow: the pressure comes from outside unless the flow is supersonic, the rest from inside; nothing comes in.
/// - Stream: Roe's flux to the undisturbed stream.
#[op2::kernel]
pub fn boundary(
    q: &[f64; UNKNOWNS],
    normal: &[f64; 3],
    kind: &i32,
    stream: &[f64; UNKNOWNS],
    conditions: &[f64; 4],
    res: &mut [f64; UNKNOWNS],
) {
    let p = pressure(q);
    let u = velocity(q);
    // Momentum towards the wall over the area: acoustic impedance times normal velocity is what it adds to the
    // pressure.
    let met = p + (GAMMA * p * q[0] / dot(normal, normal)).sqrt() * dot(&u, normal);
    let mut flux = [0.0, met * normal[0], met * normal[1], met * normal[2], 0.0, 0.0];
    if *kind == INFLOW {
        flux = inflow(q, p, normal, conditions);
    } else if *kind == OUTFLOW {
        flux = outflow(q, p, normal, conditions[3]);
    } else if *kind == STREAM {
        let ps = pressure(stream);
        let inner = convection(q, p, normal);
        let outer = convection(stream, ps, normal);
        let mut jump = [0.0; UNKNOWNS];
        for n in 0..UNKNOWNS {
            jump[n] = stream[n] - q[n];
        }
        let upwind = dissipation(&roe_mean(q, p, stream, ps), normal, &jump, false);
        for n in 0..UNKNOWNS {
            flux[n] = 0.5 * (inner[n] + outer[n] - upwind[n]);
        }
    }
    for n in 0..UNKNOWNS {
        res[n] += flux[n];
    }
}

/// The flux of a flow along x with given total state, whose speed follows from the invariant that sound carries
/// upstream from the inner state (as in J. Blazek, *Computational Fluid Dynamics: Principles and Applications*).
#[op2::device_fn]
fn inflow(q: &[f64; UNKNOWNS], p: f64, normal: &[f64; 3], conditions: &[f64; 4]) -> [f64; UNKNOWNS] {
    let half = 0.5 * (GAMMA - 1.0);
    let invariant = q[1] / q[0] - (GAMMA * p / q[0]).sqrt() / half;
    // With u = invariant + c / half, c² + half u² is the total temperature.
    let factor = 1.0 + 1.0 / half;
    let root = invariant * invariant - factor * (half * invariant * invariant - conditions[1]);
    let sound = (root.max(0.0).sqrt() - invariant) / factor;
    let speed = invariant + sound / half;
    let temperature = sound * sound;
    let outside = conditions[0] * (temperature / conditions[1]).powf(GAMMA / (GAMMA - 1.0));
    let density = GAMMA * outside / temperature;
    let energy = outside / (GAMMA - 1.0) + 0.5 * density * speed * speed;
    let state = [density, density * speed, 0.0, 0.0, energy, density * conditions[2]];
    convection(&state, outside, normal)
}

/// The flux of the inner state with another pressure, `outside`, unless it is supersonic. Nothing comes in: where the
/// flow turns back, only the pressure acts.
#[op2::device_fn]
fn outflow(q: &[f64; UNKNOWNS], p: f64, normal: &[f64; 3], outside: f64) -> [f64; UNKNOWNS] {
    let u = velocity(q);
    let un = dot(&u, normal);
    let supersonic = un > 0.0 && un * un > GAMMA * p / q[0] * dot(normal, normal);
    let chosen = if supersonic { p } else { outside };
    let mut state = *q;
    state[4] = chosen / (GAMMA - 1.0) + 0.5 * q[0] * dot(&u, &u);
    if un <= 0.0 {
        return [0.0, outside * normal[0], outside * normal[1], outside * normal[2], 0.0, 0.0];
    }
    convection(&state, chosen, normal)
}
