//! Formulae of the gas and small algebra, shared by the kernels.

use op2::Float;

use crate::physics::sa::{CN1, CV1};
use crate::physics::{GAMMA, UNKNOWNS};

/// Scalar product.
#[op2::device_fn]
pub(super) fn dot<F: Float>(a: &[F; 3], b: &[F; 3]) -> F {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector from `a` to `b`.
#[op2::device_fn]
pub(super) fn between<F: Float>(a: &[F; 3], b: &[F; 3]) -> [F; 3] {
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

/// One over each of two numbers, by a single division.
#[op2::device_fn]
pub(super) fn reciprocals<F: Float>(a: F, b: F) -> (F, F) {
    let both = F::lit(1.0) / (a * b);
    (both * b, both * a)
}

/// The velocity of a state, of which `per_density` is one over the density.
#[op2::device_fn]
pub(super) fn velocity<F: Float>(q: &[F; UNKNOWNS], per_density: F) -> [F; 3] {
    [per_density * q[1], per_density * q[2], per_density * q[3]]
}

/// The pressure of a state with the velocity `u`.
#[op2::device_fn]
pub(super) fn pressure<F: Float>(q: &[F; UNKNOWNS], u: &[F; 3]) -> F {
    F::lit(GAMMA - 1.0) * (q[4] - F::lit(0.5) * (u[0] * q[1] + u[1] * q[2] + u[2] * q[3]))
}

/// Quantities of a state that do not grow with its density, and its pressure.
#[op2::record]
pub(super) struct Specific<F> {
    pub(super) velocity: [F; 3],
    pub(super) pressure: F,
    /// Total enthalpy.
    pub(super) enthalpy: F,
    /// Turbulence variable.
    pub(super) turbulence: F,
}

/// Those of a state with pressure `p`, of which `per_density` is one over the density.
#[op2::device_fn]
pub(super) fn specific<F: Float>(q: &[F; UNKNOWNS], per_density: F, p: F) -> Specific<F> {
    Specific {
        velocity: velocity(q, per_density),
        pressure: p,
        enthalpy: per_density * (q[4] + p),
        turbulence: per_density * q[5],
    }
}

/// The convective flux of a state through a face with the area vector `n`.
#[op2::device_fn]
pub(super) fn convection<F: Float>(q: &[F; UNKNOWNS], of: &Specific<F>, n: &[F; 3]) -> [F; UNKNOWNS] {
    let p = of.pressure;
    let un = dot(&of.velocity, n);
    [un * q[0], un * q[1] + p * n[0], un * q[2] + p * n[1], un * q[3] + p * n[2], un * (q[4] + p), un * q[5]]
}

/// Roe's mean of two states.
#[op2::record]
pub(super) struct Mean<F> {
    pub(super) velocity: [F; 3],
    /// Total enthalpy.
    pub(super) enthalpy: F,
    /// Turbulence variable.
    pub(super) turbulence: F,
    /// The square of the speed of sound.
    pub(super) sound2: F,
}

/// The mean of two states, of which `ratio` is the density of `b` over that of `a` (P. L. Roe, *Approximate Riemann
/// solvers, parameter vectors, and difference schemes*, J. Comput. Phys. 43, 1981).
#[op2::device_fn]
pub(super) fn roe_mean<F: Float>(a: &Specific<F>, b: &Specific<F>, ratio: F) -> Mean<F> {
    let root = ratio.sqrt();
    let wa = F::lit(1.0) / (F::lit(1.0) + root);
    let wb = root * wa;
    let u = wa * a.velocity[0] + wb * b.velocity[0];
    let v = wa * a.velocity[1] + wb * b.velocity[1];
    let w = wa * a.velocity[2] + wb * b.velocity[2];
    let enthalpy = wa * a.enthalpy + wb * b.enthalpy;
    let turbulence = wa * a.turbulence + wb * b.turbulence;
    let sound2 = F::lit(GAMMA - 1.0) * (enthalpy - F::lit(0.5) * (u * u + v * v + w * w));
    Mean { velocity: [u, v, w], enthalpy, turbulence, sound2 }
}

/// Eddy viscosity for a turbulence variable `nu` (times density: `rho_nu`) in a gas of viscosity `mu` (ICCFD7-1902),
/// and 0 where the variable is negative.
#[op2::device_fn]
pub(super) fn eddy_viscosity<F: Float>(rho_nu: F, mu: F) -> F {
    if rho_nu <= F::lit(0.0) {
        return F::lit(0.0);
    }
    // χ³ over χ³ + cv1³, with both multiplied by μ³, so that μ may vanish.
    let x3 = rho_nu * rho_nu * rho_nu;
    let c = F::lit(CV1) * mu;
    rho_nu * x3 / (x3 + c * c * c)
}

/// The contribution of the turbulence variable to the viscosity in its own diffusion: `rho_nu` times the function fₙ of
/// ICCFD7-1902, which is 1 where the variable is positive and keeps the diffusion positive where it is not.
#[op2::device_fn]
pub(super) fn own_diffusion<F: Float>(rho_nu: F, mu: F) -> F {
    if rho_nu >= F::lit(0.0) {
        return rho_nu;
    }
    let x3 = rho_nu * rho_nu * rho_nu;
    let m3 = mu * mu * mu;
    rho_nu * (F::lit(CN1) * m3 + x3) / (F::lit(CN1) * m3 - x3)
}
