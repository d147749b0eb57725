//! The source terms of the turbulence model.

use super::gas::dot;
use crate::physics::UNKNOWNS;
use crate::physics::sa::{C2, C3, CB1, CB2, CT3, CT4, CV1, CW1, CW2, CW3, KAPPA, SIGMA};

/// Source of density times turbulence variable per volume, and how fast its destruction makes it decay: production
/// less destruction, and what diffusion does beside spreading (ICCFD7-1902, the compressible form, and where the
/// variable is negative its continuation).
#[op2::kernel]
pub fn sources(q: &[f64; UNKNOWNS], aux: &[f64; 7], slopes: &[[f64; 3]; UNKNOWNS], source: &mut [f64; 2]) {
    let (density, laminar) = (q[0], aux[3] / q[0]);
    let nu = q[5] / density;
    let spin = [slopes[3][1] - slopes[2][2], slopes[1][2] - slopes[3][0], slopes[2][0] - slopes[1][1]];
    let vorticity = dot(&spin, &spin).sqrt();
    let d2 = aux[5] * aux[5];
    // On the wall itself the variable is prescribed, and without any viscosity there is no turbulence.
    let (made, decay) = if d2 == 0.0 || laminar == 0.0 {
        (0.0, 0.0)
    } else if nu < 0.0 {
        (CB1 * (1.0 - CT3) * vorticity * nu + CW1 * nu * nu / d2, -2.0 * CW1 * nu / d2)
    } else {
        balance(nu, nu / laminar, vorticity, d2)
    };
    // The gradient of the density over the density, by the law of gases.
    let mut cross = 0.0;
    for d in 0..3 {
        cross += (slopes[4][d] / aux[0] - slopes[0][d] / aux[1]) * slopes[5][d];
    }
    let spread = CB2 / SIGMA * dot(&slopes[5], &slopes[5]) - (laminar + nu) / SIGMA * cross;
    source[0] = density * (made + spread);
    source[1] = decay;
}

/// Production less destruction of a positive `nu`, `chi` times the laminar viscosity, at the squared distance `d2`
/// from the wall; and the decay rate of the destruction.
#[op2::device_fn]
fn balance(nu: f64, chi: f64, vorticity: f64, d2: f64) -> (f64, f64) {
    let x3 = chi * chi * chi;
    let c3 = CV1 * CV1 * CV1;
    let fv1 = x3 / (x3 + c3);
    let fv2 = 1.0 - chi / (1.0 + chi * fv1);
    let scale = KAPPA * KAPPA * d2;
    let bar = nu / scale * fv2;
    let modified = if bar >= -C2 * vorticity {
        vorticity + bar
    } else {
        vorticity + vorticity * (C2 * C2 * vorticity + C3 * bar) / ((C3 - 2.0 * C2) * vorticity - bar)
    };
    // Still fluid far from walls has no modified vorticity; the ratio is then at its limit.
    let ratio = (nu / (modified * scale).max(f64::MIN_POSITIVE)).min(10.0);
    let r2 = ratio * ratio;
    let g = ratio + CW2 * (r2 * r2 * r2 - ratio);
    let (g2, w2) = (g * g, CW3 * CW3);
    let w6 = w2 * w2 * w2;
    let fw = g * ((1.0 + w6) / (g2 * g2 * g2 + w6)).powf(1.0 / 6.0);
    let ft2 = CT3 * (-CT4 * chi * chi).exp();
    let destruction = (CW1 * fw - CB1 / (KAPPA * KAPPA) * ft2) * nu / d2;
    (CB1 * (1.0 - ft2) * modified * nu - destruction * nu, (2.0 * destruction).max(0.0))
}
