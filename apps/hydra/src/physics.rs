//! Constants of the gas and of the turbulence model, and states of the flow.
//!
//! Everything is without dimension: velocities in units of the speed of sound of the undisturbed stream, temperatures
//! and densities in units of its own, lengths in chords. So the gas obeys p = ρT/γ, and its speed of sound is √T.

use op2::Float;

/// Unknowns per node: density, momentum (3), total energy, and density times the working variable of the turbulence
/// model.
pub const UNKNOWNS: usize = 6;

/// Ratio of specific heats.
pub const GAMMA: f64 = 1.4;
/// Prandtl number of the gas.
pub const PRANDTL: f64 = 0.72;
/// Turbulent Prandtl number.
pub const PRANDTL_TURBULENT: f64 = 0.9;
/// Heat conductivity per viscosity.
pub const CONDUCTION: f64 = 1.0 / (PRANDTL * (GAMMA - 1.0));
/// The same of eddies.
pub const CONDUCTION_TURBULENT: f64 = 1.0 / (PRANDTL_TURBULENT * (GAMMA - 1.0));
/// Sutherland's constant, 110.4 K, in units of the stream's temperature of 288.15 K.
pub const SUTHERLAND: f64 = 110.4 / 288.15;

/// The undisturbed stream.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// Mach number.
    pub mach: f64,
    /// Reynolds number, with the chord; infinite for a gas without viscosity.
    pub reynolds: f64,
}

impl Default for Stream {
    fn default() -> Self {
        Stream { mach: 0.4, reynolds: 5e5 }
    }
}

impl Stream {
    /// Its viscosity.
    pub fn viscosity(self) -> f64 {
        self.mach / self.reynolds
    }

    /// Its turbulence variable: three times its kinematic viscosity, the least that ICCFD7-1902 advises for fully turbulent flow.
    pub fn turbulence(self) -> f64 {
        3.0 * self.viscosity()
    }
}

/// Constants of the turbulence model of Spalart and Allmaras, in the form of S. R. Allmaras, F. T. Johnson, P. R.
/// Spalart: *Modifications and clarifications for the implementation of the Spalart–Allmaras turbulence model*,
/// ICCFD7-1902, 2012, with its continuation to negative values. Names are those of the paper.
pub mod sa {
    /// von Kármán's constant.
    pub const KAPPA: f64 = 0.41;
    /// Of the diffusion.
    pub const SIGMA: f64 = 2.0 / 3.0;
    /// One over it.
    pub const DIFFUSION: f64 = 1.0 / SIGMA;
    /// Of the production.
    pub const CB1: f64 = 0.1355;
    /// Of the diffusion.
    pub const CB2: f64 = 0.622;
    /// Of the wall's damping.
    pub const CV1: f64 = 7.1;
    /// Of the limit of the modified vorticity.
    pub const C2: f64 = 0.7;
    /// Of the same.
    pub const C3: f64 = 0.9;
    /// Of the destruction.
    pub const CW1: f64 = CB1 / (KAPPA * KAPPA) + (1.0 + CB2) / SIGMA;
    /// Of the destruction.
    pub const CW2: f64 = 0.3;
    /// Of the destruction.
    pub const CW3: f64 = 2.0;
    /// Of the laminar suppression.
    pub const CT3: f64 = 1.2;
    /// Of the same.
    pub const CT4: f64 = 0.5;
    /// Of the diffusion of negative values.
    pub const CN1: f64 = 16.0;
}

/// Constants of the scheme.
pub mod scheme {
    /// Courant number of the local time step; tried out on a duct and the passage.
    pub const CFL: f64 = 2.0;
    /// Factors of the five Runge–Kutta stages (A. Jameson, W. Schmidt, E. Turkel: *Numerical solution of the Euler
    /// equations by finite volume methods using Runge–Kutta time-stepping schemes*, AIAA 81-1259, with four; these
    /// five in A. Jameson: *Transonic flow calculations*, Princeton MAE Report 1651, 1983).
    pub const STAGES: [f64; 5] = [0.25, 1.0 / 6.0, 0.375, 0.5, 1.0];
    /// Which part of the viscous and smoothing fluxes of a stage is new, the rest staying from the stages before; 0
    /// where they are not evaluated (L. Martinelli, *Calculations of viscous flows with a multigrid method*, thesis,
    /// Princeton, 1987).
    pub const BLENDS: [f64; 5] = [1.0, 0.0, 0.56, 0.0, 0.44];
    /// Factor of the differences of pseudo-Laplacians in the upwind flux: as in κ = 1/3 schemes (P. Moinier,
    /// J.-D. Müller, M. B. Giles: *Edge-based multigrid and preconditioning for hybrid grids*, AIAA Journal 40, 2002).
    pub const FOURTH: f64 = 1.0 / 3.0;
    /// The same in the background smoothing, which comes with the viscous fluxes; our own choice.
    pub const SMOOTHING: f64 = 1.0 / 64.0;
    /// Relative change of pressure within a node's own length at which the scheme is first order: the sensor is the
    /// square of the change over this. Our own choice, as is the next one.
    pub const SHOCK: f64 = 0.5;
    /// The same of the turbulence variable.
    pub const FRONT: f64 = 1.0;
    /// Entropy fix of the acoustic waves, as a part of the speed of sound (A. Harten, *High resolution schemes for
    /// hyperbolic conservation laws*, J. Comput. Phys. 49, 1983, his ε); both numbers are our own choice.
    pub const FIX_ACOUSTIC: f64 = 0.1;
    /// The same of the other waves, away from walls, as a part of the greatest wave speed.
    pub const FIX_LINEAR: f64 = 0.05;
}

/// Kinds of boundary, as they stand in the mesh.
pub mod kind {
    /// No slip, no heat.
    pub const WALL: i32 = 1;
    /// Nothing flows through, no friction.
    pub const SLIP: i32 = 2;
    /// Total pressure and total temperature, flow along x.
    pub const INFLOW: i32 = 3;
    /// Static pressure.
    pub const OUTFLOW: i32 = 4;
    /// The undisturbed stream.
    pub const STREAM: i32 = 5;
}

/// Flag of a node that lies on a wall; 0 of all others.
pub const ON_WALL: i32 = 1;

/// The undisturbed stream along x, of Mach number `mach`, whose turbulence variable is `turbulence`.
pub fn stream(mach: f64, turbulence: f64) -> [f64; UNKNOWNS] {
    state(1.0, [mach, 0.0, 0.0], 1.0, turbulence)
}

/// The state with the given density, velocity, temperature and turbulence variable.
pub fn state(density: f64, velocity: [f64; 3], temperature: f64, turbulence: f64) -> [f64; UNKNOWNS] {
    let pressure = density * temperature / GAMMA;
    let [u, v, w] = velocity;
    let energy = pressure / (GAMMA - 1.0) + 0.5 * density * (u * u + v * v + w * w);
    [density, density * u, density * v, density * w, energy, density * turbulence]
}

/// Static pressure of a state.
pub fn pressure(q: [f64; UNKNOWNS]) -> f64 {
    (GAMMA - 1.0) * (q[4] - 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0])
}

/// Mach number of a state.
pub fn mach(q: [f64; UNKNOWNS]) -> f64 {
    (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt() / q[0] / (GAMMA * pressure(q) / q[0]).sqrt()
}

/// The conditions at boundaries.
#[op2::record]
pub struct Conditions<F> {
    /// Total pressure of the inflow.
    pub total_pressure: F,
    /// Total temperature of the inflow.
    pub total_temperature: F,
    /// Turbulence variable of the inflow.
    pub turbulence: F,
    /// Static pressure of the outflow.
    pub pressure: F,
}

/// The conditions that the stream has.
pub fn conditions<F: Float>(mach: f64, turbulence: f64) -> Conditions<F> {
    let total = 1.0 + 0.5 * (GAMMA - 1.0) * mach * mach;
    let pressure = 1.0 / GAMMA;
    Conditions {
        total_pressure: F::lit(pressure * total.powf(GAMMA / (GAMMA - 1.0))),
        total_temperature: F::lit(total),
        turbulence: F::lit(turbulence),
        pressure: F::lit(pressure),
    }
}
