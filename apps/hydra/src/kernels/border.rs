//! Fluxes through the boundary.

use op2::Float;

use super::data::{Aux, Radii};
use super::gas::{convection, dot, pressure, roe_mean, specific, velocity};
use super::inviscid::dissipation;
use crate::physics::kind::{INFLOW, OUTFLOW, STREAM};
use crate::physics::{Conditions, GAMMA, UNKNOWNS};

/// The contribution of a part of the boundary to the inviscid radius of its node, so that the time step allows for
/// waves reflected there: twice the fastest wave times the area, since half of all radii bounds the step.
#[op2::kernel]
pub fn boundary_radius<F: Float>(q: &[F; UNKNOWNS], aux: &Aux<F>, normal: &[F; 3], radius: &mut Radii<F>) {
    let u = velocity(q, F::lit(1.0) / q[0]);
    radius.inviscid += F::lit(2.0) * (dot(&u, normal).abs() + aux.sound * dot(normal, normal).sqrt());
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
pub fn boundary<F: Float>(
    q: &[F; UNKNOWNS],
    normal: &[F; 3],
    kind: &i32,
    stream: &[F; UNKNOWNS],
    conditions: &Conditions<F>,
    res: &mut [F; UNKNOWNS],
) {
    let per_density = F::lit(1.0) / q[0];
    let u = velocity(q, per_density);
    let p = pressure(q, &u);
    // Momentum towards the wall over the area: acoustic impedance times normal velocity is what it adds to the
    // pressure.
    let met = p + (F::lit(GAMMA) * p * q[0] / dot(normal, normal)).sqrt() * dot(&u, normal);
    let none = F::lit(0.0);
    let mut flux = [none, met * normal[0], met * normal[1], met * normal[2], none, none];
    if *kind == INFLOW {
        flux = inflow(q, p, normal, conditions);
    } else if *kind == OUTFLOW {
        flux = outflow(q, p, normal, conditions.pressure);
    } else if *kind == STREAM {
        let per_stream = F::lit(1.0) / stream[0];
        let inside = specific(q, per_density, p);
        let outside = specific(stream, per_stream, pressure(stream, &velocity(stream, per_stream)));
        let inner = convection(q, &inside, normal);
        let outer = convection(stream, &outside, normal);
        let mut jump = [none; UNKNOWNS];
        for n in 0..UNKNOWNS {
            jump[n] = stream[n] - q[n];
        }
        let upwind = dissipation(&roe_mean(&inside, &outside, stream[0] * per_density), normal, &jump, false);
        for n in 0..UNKNOWNS {
            flux[n] = F::lit(0.5) * (inner[n] + outer[n] - upwind[n]);
        }
    }
    for n in 0..UNKNOWNS {
        res[n] += flux[n];
    }
}

/// The flux of a flow along x with given total state, whose speed follows from the invariant that sound carries
/// upstream from the inner state (as in J. Blazek, *Computational Fluid Dynamics: Principles and Applications*).
#[op2::device_fn]
fn inflow<F: Float>(q: &[F; UNKNOWNS], p: F, normal: &[F; 3], conditions: &Conditions<F>) -> [F; UNKNOWNS] {
    let Conditions { total_pressure, total_temperature, turbulence, .. } = *conditions;
    let half = F::lit(0.5 * (GAMMA - 1.0));
    let invariant = q[1] / q[0] - (F::lit(GAMMA) * p / q[0]).sqrt() / half;
    // With u = invariant + c / half, c² + half u² is the total temperature.
    let (none, one) = (F::lit(0.0), F::lit(1.0));
    let factor = one + one / half;
    let root = invariant * invariant - factor * (half * invariant * invariant - total_temperature);
    let sound = (root.max(none).sqrt() - invariant) / factor;
    let speed = invariant + sound / half;
    let temperature = sound * sound;
    let outside = total_pressure * (temperature / total_temperature).powf(F::lit(GAMMA / (GAMMA - 1.0)));
    let density = F::lit(GAMMA) * outside / temperature;
    let energy = outside / F::lit(GAMMA - 1.0) + F::lit(0.5) * density * speed * speed;
    let state = [density, density * speed, none, none, energy, density * turbulence];
    convection(&state, &specific(&state, F::lit(1.0) / density, outside), normal)
}

/// The flux of the inner state with another pressure, `outside`, unless it is supersonic. Nothing comes in: where the
/// flow turns back, only the pressure acts.
#[op2::device_fn]
fn outflow<F: Float>(q: &[F; UNKNOWNS], p: F, normal: &[F; 3], outside: F) -> [F; UNKNOWNS] {
    let per_density = F::lit(1.0) / q[0];
    let u = velocity(q, per_density);
    let un = dot(&u, normal);
    let none = F::lit(0.0);
    let supersonic = un > none && un * un > F::lit(GAMMA) * p * per_density * dot(normal, normal);
    let chosen = if supersonic { p } else { outside };
    let mut state = *q;
    state[4] = chosen / F::lit(GAMMA - 1.0) + F::lit(0.5) * q[0] * dot(&u, &u);
    if un <= none {
        return [none, outside * normal[0], outside * normal[1], outside * normal[2], none, none];
    }
    convection(&state, &specific(&state, per_density, chosen), normal)
}
