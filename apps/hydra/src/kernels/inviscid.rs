//! The inviscid flux.

use op2::Float;

use super::data::Sensors;
use super::gas::{Mean, convection, dot, pressure, reciprocals, roe_mean, specific, velocity};
use crate::physics::scheme::{FIX_ACOUSTIC, FIX_LINEAR, FOURTH};
use crate::physics::{GAMMA, ON_WALL, UNKNOWNS};

/// The flux through a dual face: the mean of both ends' fluxes, less half of Roe's matrix |A| times a difference.
///
/// The difference is, where the flow is smooth, that of the pseudo-Laplacians, and becomes that of the unknowns as
/// the sensor goes to 1 (P. Moinier, J.-D. Müller, M. B. Giles, AIAA Journal 40, 2002). The turbulence variable has a
/// sensor of its own.
#[op2::kernel]
pub fn iflux<F: Float>(
    q: [&[F; UNKNOWNS]; 2],
    lap: [&[F; UNKNOWNS]; 2],
    sensor: [&Sensors<F>; 2],
    flag: [&i32; 2],
    normal: &[F; 3],
    res: [&mut [F; UNKNOWNS]; 2],
) {
    let (per_a, per_b) = reciprocals(q[0][0], q[1][0]);
    let sa = specific(q[0], per_a, pressure(q[0], &velocity(q[0], per_a)));
    let sb = specific(q[1], per_b, pressure(q[1], &velocity(q[1], per_b)));
    let a = convection(q[0], &sa, normal);
    let b = convection(q[1], &sb, normal);
    let shock = sensor[0].shock.max(sensor[1].shock);
    let front = sensor[0].front.max(sensor[1].front);
    let mut jump = [F::lit(0.0); UNKNOWNS];
    for n in 0..UNKNOWNS {
        let rough = if n == 5 { front } else { shock };
        let smooth = F::lit(1.0) - rough;
        jump[n] = rough * (q[1][n] - q[0][n]) - F::lit(FOURTH) * smooth * (lap[1][n] - lap[0][n]);
    }
    let at_wall = *flag[0] == ON_WALL || *flag[1] == ON_WALL;
    let upwind = dissipation(&roe_mean(&sa, &sb, q[1][0] * per_a), normal, &jump, at_wall);
    for n in 0..UNKNOWNS {
        let flux = F::lit(0.5) * (a[n] + b[n] - upwind[n]);
        res[0][n] += flux;
        res[1][n] -= flux;
    }
}

/// |A| times `jump`, for a face with the area vector `normal`, at Roe's mean (P. L. Roe, J. Comput. Phys. 43, 1981).
///
/// All waves but the two acoustic ones go with the flow, so that |A| is their speed times the identity, and a
/// correction for each acoustic wave. At walls the entropy fix leaves the waves that go with the flow alone, because
/// it would smear boundary layers.
///
/// Speeds are multiplied by the area of the face, and a single division serves all that is divided by the speed of
/// sound and by the area: divisions and roots are long chains of operations that need each other's results.
#[op2::device_fn]
pub(super) fn dissipation<F: Float>(
    mean: &Mean<F>,
    normal: &[F; 3],
    jump: &[F; UNKNOWNS],
    at_wall: bool,
) -> [F; UNKNOWNS] {
    let u = mean.velocity;
    let (c2, area2) = (mean.sound2, dot(normal, normal));
    let flow = dot(&u, normal);
    let sound = (c2 * area2).sqrt();
    let (per_c2, per_area2) = reciprocals(c2, area2);
    let sound_per_area = sound * per_area2;
    let per_sound = sound * per_c2 * per_area2;
    let change = [jump[1], jump[2], jump[3]];
    // The change of pressure, and the speed of sound times density times the change of normal velocity.
    let p = F::lit(GAMMA - 1.0) * (F::lit(0.5) * dot(&u, &u) * jump[0] - dot(&u, &change) + jump[4]);
    let run = sound_per_area * (dot(&change, normal) - flow * jump[0]);
    let linear = if at_wall {
        flow.abs()
    } else {
        let width = F::lit(FIX_LINEAR) * (flow.abs() + sound);
        fixed(flow, width, F::lit(1.0) / width)
    };
    let (width, per_width) = (F::lit(FIX_ACOUSTIC) * sound, F::lit(1.0 / FIX_ACOUSTIC) * per_sound);
    let half = F::lit(0.5) * per_c2;
    let left = half * (fixed(flow - sound, width, per_width) - linear) * (p - run);
    let right = half * (fixed(flow + sound, width, per_width) - linear) * (p + run);
    let both = left + right;
    let acoustic = sound_per_area * (right - left);
    [
        linear * jump[0] + both,
        linear * jump[1] + both * u[0] + acoustic * normal[0],
        linear * jump[2] + both * u[1] + acoustic * normal[1],
        linear * jump[3] + both * u[2] + acoustic * normal[2],
        linear * jump[4] + both * mean.enthalpy + acoustic * flow,
        linear * jump[5] + both * mean.turbulence,
    ]
}

/// The absolute value of a wave speed, with the corner at 0 rounded off within `width` (A. Harten, J. Comput. Phys.
/// 49, 1983). `per_width` is one over the width.
#[op2::device_fn]
fn fixed<F: Float>(speed: F, width: F, per_width: F) -> F {
    let size = speed.abs();
    if size < width { F::lit(0.5) * (size * size * per_width + width) } else { size }
}
