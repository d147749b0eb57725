//! The constants of the flow and the state far from the profile.
//!
//! OP2's airfoil assigns its double-precision constants from single-precision literals, and its published residuals
//! depend on it. Every constant here is therefore the value rounded to `f32` and widened again, also in `f64` runs.

/// Ratio of the specific heats of the gas.
pub const GAM: f64 = 1.4f32 as f64;

/// `GAM` − 1; exact in `f32` too, so that it may be narrowed without a second rounding.
pub const GM1: f64 = GAM - 1.0;

/// Courant number: the local time step is this share of the greatest stable one.
pub const CFL: f64 = 0.9f32 as f64;

/// Strength of the artificial dissipation.
pub const EPS: f64 = 0.05f32 as f64;

/// Mach number of the oncoming flow.
pub const MACH: f64 = 0.4f32 as f64;

/// Number of unknowns of a cell: density, momentum in x and y, energy density.
pub const UNKNOWNS: usize = 4;

/// Value of `bound` on a boundary edge that lies on the profile, a solid wall.
pub const WALL: i32 = 1;

/// Value of `bound` on a boundary edge of the far field.
pub const FAR_FIELD: i32 = 2;

/// State far from the profile and at the start of a run, `[ρ, ρu, ρv, ρE]`: pressure and density 1, flow along x at
/// Mach [`MACH`].
pub fn far_field() -> [f64; UNKNOWNS] {
    let (p, r) = (1.0, 1.0);
    let u = (GAM * p / r).sqrt() * MACH;
    let e = p / (r * GM1) + 0.5 * u * u;
    [r, r * u, 0.0, r * e]
}

/// Pressure of the state `q = [ρ, ρu, ρv, ρE]`.
pub fn pressure(q: [f64; UNKNOWNS]) -> f64 {
    GM1 * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0])
}

/// Mach number of the state `q = [ρ, ρu, ρv, ρE]`.
pub fn mach(q: [f64; UNKNOWNS]) -> f64 {
    let speed = (q[1] * q[1] + q[2] * q[2]).sqrt() / q[0];
    speed / (GAM * pressure(q) / q[0]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_far_field_has_the_pressure_and_mach_number_it_is_made_of() {
        let q = far_field();
        assert!((pressure(q) - 1.0).abs() < 1e-15);
        assert!((mach(q) - MACH).abs() < 1e-15);
    }

    #[test]
    fn gm1_is_a_single_precision_number() {
        assert_eq!(f64::from(GM1 as f32), GM1);
    }
}
