//! Formulae of the gas and small algebra, shared by the kernels.

use crate::physics::sa::{CN1, CV1};
use crate::physics::{GAMMA, UNKNOWNS};

/// Scalar product.
#[op2::device_fn]
pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector from `a` to `b`.
#[op2::device_fn]
pub(super) fn between(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

/// The velocity of a state.
#[op2::device_fn]
pub(super) fn velocity(q: &[f64; UNKNOWNS]) -> [f64; 3] {
    let ri = 1.0 / q[0];
    [ri * q[1], ri * q[2], ri * q[3]]
}

/// The pressure of a state.
#[op2::device_fn]
pub(super) fn pressure(q: &[f64; UNKNOWNS]) -> f64 {
    let ri = 1.0 / q[0];
    (GAMMA - 1.0) * (q[4] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
}

/// The convective flux of a state with pressure `p` through a face with the area vector `n`.
#[op2::device_fn]
pub(super) fn convection(q: &[f64; UNKNOWNS], p: f64, n: &[f64; 3]) -> [f64; UNKNOWNS] {
    let u = velocity(q);
    let un = dot(&u, n);
    [un * q[0], un * q[1] + p * n[0], un * q[2] + p * n[1], un * q[3] + p * n[2], un * (q[4] + p), un * q[5]]
}

/// Velocity, total enthalpy and turbulence variable of Roe's mean of two states with pressures `pa` and `pb` (P. L.
/// Roe, *Approximate Riemann solvers, parameter vectors, and difference schemes*, J. Comput. Phys. 43, 1981), with
/// the square of its speed of sound in the end.
#[op2::device_fn]
pub(super) fn roe_mean(a: &[f64; UNKNOWNS], pa: f64, b: &[f64; UNKNOWNS], pb: f64) -> [f64; 6] {
    let (ra, rb) = (a[0].sqrt(), b[0].sqrt());
    // Momentum over the root of density is velocity times the root.
    let total = ra + rb;
    let (wa, wb) = (1.0 / (ra * total), 1.0 / (rb * total));
    let u = wa * a[1] + wb * b[1];
    let v = wa * a[2] + wb * b[2];
    let w = wa * a[3] + wb * b[3];
    let h = wa * (a[4] + pa) + wb * (b[4] + pb);
    let nu = wa * a[5] + wb * b[5];
    let c2 = (GAMMA - 1.0) * (h - 0.5 * (u * u + v * v + w * w));
    [u, v, w, h, nu, c2]
}

/// Eddy viscosity for a turbulence variable `nu` (times density: `rho_nu`) in a gas of viscosity `mu` (ICCFD7-1902),
/// and 0 where the variable is negative.
#[op2::device_fn]
pub(super) fn eddy_viscosity(rho_nu: f64, mu: f64) -> f64 {
    if rho_nu <= 0.0 {
        return 0.0;
    }
    // χ³ over χ³ + cv1³, with both multiplied by μ³, so that μ may vanish.
    let x3 = rho_nu * rho_nu * rho_nu;
    let c = CV1 * mu;
    rho_nu * x3 / (x3 + c * c * c)
}

/// What the turbulence variable adds to the viscosity in its own diffusion: `rho_nu` times the function fₙ of
/// ICCFD7-1902, which is 1 where the variable is positive and keeps the diffusion positive where it is not.
#[op2::device_fn]
pub(super) fn own_diffusion(rho_nu: f64, mu: f64) -> f64 {
    if rho_nu >= 0.0 {
        return rho_nu;
    }
    let x3 = rho_nu * rho_nu * rho_nu;
    let m3 = mu * mu * mu;
    rho_nu * (CN1 * m3 + x3) / (CN1 * m3 - x3)
}
