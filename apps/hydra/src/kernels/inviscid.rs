//! The inviscid flux.

use op2::Float;

use super::data::Sensors;
use super::gas::{Mean, convection, dot, pressure, roe_mean};
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
    let pa = pressure(q[0]);
    let pb = pressure(q[1]);
    let a = convection(q[0], pa, normal);
    let b = convection(q[1], pb, normal);
    let shock = sensor[0].shock.max(sensor[1].shock);
    let front = sensor[0].front.max(sensor[1].front);
    let mut jump = [F::lit(0.0); UNKNOWNS];
    for n in 0..UNKNOWNS {
        let rough = if n == 5 { front } else { shock };
        let smooth = F::lit(1.0) - rough;
        jump[n] = rough * (q[1][n] - q[0][n]) - F::lit(FOURTH) * smooth * (lap[1][n] - lap[0][n]);
    }
    let at_wall = *flag[0] == ON_WALL || *flag[1] == ON_WALL;
    let upwind = dissipation(&roe_mean(q[0], pa, q[1], pb), normal, &jump, at_wall);
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
#[op2::device_fn]
pub(super) fn dissipation<F: Float>(
    mean: &Mean<F>,
    normal: &[F; 3],
    jump: &[F; UNKNOWNS],
    at_wall: bool,
) -> [F; UNKNOWNS] {
    let area = dot(normal, normal).sqrt();
    let unit = F::lit(1.0) / area;
    let n = [unit * normal[0], unit * normal[1], unit * normal[2]];
    let u = mean.velocity;
    let un = dot(&u, &n);
    let c2 = mean.sound2;
    let c = c2.sqrt();
    let change = [jump[1], jump[2], jump[3]];
    // Density times the change of normal velocity, and the change of pressure.
    let run = dot(&change, &n) - un * jump[0];
    let p = F::lit(GAMMA - 1.0) * (F::lit(0.5) * dot(&u, &u) * jump[0] - dot(&u, &change) + jump[4]);
    let linear = if at_wall { un.abs() } else { fixed(un, F::lit(FIX_LINEAR) * (un.abs() + c)) };
    let half = F::lit(0.5) / c2;
    let left = half * (fixed(un - c, F::lit(FIX_ACOUSTIC) * c) - linear) * (p - c * run);
    let right = half * (fixed(un + c, F::lit(FIX_ACOUSTIC) * c) - linear) * (p + c * run);
    let both = left + right;
    let acoustic = c * (right - left);
    [
        area * (linear * jump[0] + both),
        area * (linear * jump[1] + both * u[0] + acoustic * n[0]),
        area * (linear * jump[2] + both * u[1] + acoustic * n[1]),
        area * (linear * jump[3] + both * u[2] + acoustic * n[2]),
        area * (linear * jump[4] + both * mean.enthalpy + acoustic * un),
        area * (linear * jump[5] + both * mean.turbulence),
    ]
}

/// The absolute value of a wave speed, with the corner at 0 rounded off within `width` (A. Harten, J. Comput. Phys.
/// 49, 1983).
#[op2::device_fn]
fn fixed<F: Float>(speed: F, width: F) -> F {
    let size = speed.abs();
    if size < width { F::lit(0.5) * (size * size / width + width) } else { size }
}
