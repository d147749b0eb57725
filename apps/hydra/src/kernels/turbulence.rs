//! The source terms of the turbulence model.

use op2::Float;

use super::data::{Aux, Source};
use super::gas::dot;
use crate::physics::UNKNOWNS;
use crate::physics::sa::{C2, C3, CB1, CB2, CT3, CT4, CV1, CW1, CW2, CW3, KAPPA, SIGMA};

/// Source of density times turbulence variable per volume, and how fast its destruction makes it decay: production
/// less destruction, and what diffusion does beside spreading (ICCFD7-1902, the compressible form, and where the
/// variable is negative its continuation).
#[op2::kernel]
pub fn sources<F: Float>(q: &[F; UNKNOWNS], aux: &Aux<F>, slopes: &[[F; 3]; UNKNOWNS], source: &mut Source<F>) {
    let (density, laminar) = (q[0], aux.laminar / q[0]);
    let nu = q[5] / density;
    let spin = [slopes[3][1] - slopes[2][2], slopes[1][2] - slopes[3][0], slopes[2][0] - slopes[1][1]];
    let vorticity = dot(&spin, &spin).sqrt();
    let d2 = aux.distance * aux.distance;
    // On the wall itself the variable is prescribed, and without any viscosity there is no turbulence.
    let none = F::lit(0.0);
    let (made, decay) = if d2 == none || laminar == none {
        (none, none)
    } else if nu < none {
        (F::lit(CB1 * (1.0 - CT3)) * vorticity * nu + F::lit(CW1) * nu * nu / d2, F::lit(-2.0 * CW1) * nu / d2)
    } else {
        balance(nu, nu / laminar, vorticity, d2)
    };
    // The gradient of the density over the density, by the law of gases.
    let mut cross = none;
    for d in 0..3 {
        cross += (slopes[4][d] / aux.pressure - slopes[0][d] / aux.temperature) * slopes[5][d];
    }
    let spread = F::lit(CB2 / SIGMA) * dot(&slopes[5], &slopes[5]) - (laminar + nu) / F::lit(SIGMA) * cross;
    *source = Source { strength: density * (made + spread), decay };
}

/// Production less destruction of a positive `nu`, `chi` times the laminar viscosity, at the squared distance `d2`
/// from the wall; and the decay rate of the destruction.
#[op2::device_fn]
fn balance<F: Float>(nu: F, chi: F, vorticity: F, d2: F) -> (F, F) {
    let x3 = chi * chi * chi;
    let c3 = F::lit(CV1 * CV1 * CV1);
    let fv1 = x3 / (x3 + c3);
    let one = F::lit(1.0);
    let fv2 = one - chi / (one + chi * fv1);
    let scale = F::lit(KAPPA * KAPPA) * d2;
    let bar = nu / scale * fv2;
    let modified = if bar >= F::lit(-C2) * vorticity {
        vorticity + bar
    } else {
        let limit = F::lit(C3 - 2.0 * C2) * vorticity - bar;
        vorticity + vorticity * (F::lit(C2 * C2) * vorticity + F::lit(C3) * bar) / limit
    };
    // Still fluid far from walls has no modified vorticity; the ratio is then at its limit.
    let ratio = (nu / (modified * scale).max(F::MIN_POSITIVE)).min(F::lit(10.0));
    let r2 = ratio * ratio;
    let g = ratio + F::lit(CW2) * (r2 * r2 * r2 - ratio);
    let (g2, w2) = (g * g, F::lit(CW3 * CW3));
    let w6 = w2 * w2 * w2;
    let fw = g * ((one + w6) / (g2 * g2 * g2 + w6)).powf(F::lit(1.0 / 6.0));
    let ft2 = F::lit(CT3) * (F::lit(-CT4) * chi * chi).exp();
    let destruction = (F::lit(CW1) * fw - F::lit(CB1 / (KAPPA * KAPPA)) * ft2) * nu / d2;
    let production = F::lit(CB1) * (one - ft2) * modified * nu;
    (production - destruction * nu, (F::lit(2.0) * destruction).max(F::lit(0.0)))
}
