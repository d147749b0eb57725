//! Single kernels against what theory says of them.

use hydra::kernels::{self, Aux, Radii, Sensors, Source};
use hydra::physics::sa::{KAPPA, SIGMA};
use hydra::physics::{UNKNOWNS, pressure, state};
use op2::Value;

/// In supersonic flow nothing comes from downstream: Roe's matrix turns the difference of the states into that of the
/// fluxes, and the flux is that of the state upstream.
#[test]
fn the_upwind_flux_of_supersonic_flow_is_that_of_upstream() {
    let normal = [0.3, -0.2, 0.5];
    let a = state(1.1, [1.5, -1.2, 2.1], 0.9, 0.3);
    let b = state(0.8, [1.7, -1.0, 2.4], 1.2, 0.1);
    let none = [0.0; UNKNOWNS];
    for (upstream, normal) in [(a, normal), (b, normal.map(|n| -n))] {
        let mut res = [[0.0; UNKNOWNS]; 2];
        let [first, second] = &mut res;
        kernels::iflux([&a, &b], [&none, &none], [&Sensors::splat(1.0); 2], [&0; 2], &normal, [first, second]);
        let p = pressure(upstream);
        let volume = (0..3).map(|d| upstream[d + 1] * normal[d]).sum::<f64>() / upstream[0];
        for n in 0..UNKNOWNS {
            let pushed = match n {
                1..=3 => p * normal[n - 1],
                4 => p * volume,
                _ => 0.0,
            };
            let expected = volume * upstream[n] + pushed;
            assert!((res[0][n] - expected).abs() < 1e-13, "unknown {n}: {} {expected}", res[0][n]);
            assert_eq!(res[1][n], -res[0][n]);
        }
    }
}

/// In the layer where the velocity is logarithmic, the turbulence variable is κ times friction velocity times
/// distance, and production, destruction and diffusion are in balance: that is how the model's constant cw1 was made.
/// The divergence of the diffusive flux is κ²/σ times the squared friction velocity there.
#[test]
fn the_sources_are_in_balance_in_the_logarithmic_layer() {
    let (friction, distance, density, laminar) = (0.05, 0.3, 1.3, 1e-9);
    let nu = KAPPA * friction * distance;
    let q = state(density, [0.5, 0.0, 0.0], 1.0, nu);
    let aux =
        Aux { pressure: density / 1.4, laminar: density * laminar, eddy: density * nu, distance, ..Aux::splat(1.0) };
    let mut slopes = [[0.0; 3]; UNKNOWNS];
    slopes[1][2] = friction / (KAPPA * distance);
    slopes[5][2] = KAPPA * friction;
    let mut source = Source::splat(0.0);
    kernels::sources(&q, &aux, &slopes, &mut source);
    let diffusion = density * KAPPA * KAPPA * friction * friction / SIGMA;
    assert!((source.strength + diffusion).abs() < 1e-5 * diffusion, "{} {diffusion}", source.strength);
    assert!(source.decay > 0.0);
}

/// The model goes on through zero without a jump.
#[test]
fn the_sources_are_continuous_at_zero() {
    let mut slopes = [[0.0; 3]; UNKNOWNS];
    slopes[2][0] = 3.0;
    let source = |nu: f64| {
        let mut source = Source::splat(0.0);
        let aux = Aux { pressure: 1.0 / 1.4, laminar: 1e-3, eddy: 0.0, distance: 0.1, ..Aux::splat(1.0) };
        kernels::sources(&state(1.0, [0.1, 0.0, 0.0], 1.0, nu), &aux, &slopes, &mut source);
        source.strength
    };
    // Production is cb1 (1 − ct3) S ν on both sides, to the first order.
    let slope = 0.1355 * (1.0 - 1.2) * 3.0;
    for nu in [1e-12, -1e-12] {
        assert!((source(nu) / nu - slope).abs() < 1e-6, "{} {slope}", source(nu) / nu);
    }
}

/// Friction between sliding layers: shear stress is viscosity times slope, whatever the mesh, and heat follows the
/// temperature.
#[test]
fn shear_and_conduction_have_their_laws() {
    let (mu, slope, rise) = (0.2, 0.7, 0.4);
    let at = |z: f64| state(1.0, [slope * z, 0.0, 0.0], 1.0 + rise * z, 0.0);
    let (a, b) = (at(0.0), at(0.1));
    // Gradients of the unknowns: energy is temperature over γ (γ − 1), and half the squared velocity.
    let grad = |z: f64| {
        let mut grad = [[0.0; 3]; UNKNOWNS];
        grad[1][2] = slope;
        grad[4][2] = rise / (1.4 * 0.4) + slope * slope * z;
        grad
    };
    let aux = |z: f64| {
        let temperature = 1.0 + rise * z;
        let pressure = temperature / 1.4;
        Aux { pressure, temperature, sound: 1.0, laminar: mu, eddy: 0.0, distance: 1e10, volume: 1.0 }
    };
    let mut vis = [[0.0; UNKNOWNS]; 2];
    let mut flux = |flag: i32| {
        vis = [[0.0; UNKNOWNS]; 2];
        let [first, second] = &mut vis;
        kernels::vflux(
            [&a, &b],
            [&[0.0; 3], &[0.0, 0.0, 0.1]],
            [&grad(0.0), &grad(0.1)],
            [&[0.0; UNKNOWNS]; 2],
            [&aux(0.0), &aux(0.1)],
            [&flag; 2],
            [&Radii::splat(1.0); 2],
            [&Sensors::splat(0.0); 2],
            &[0.0, 0.0, 2.0],
            [first, second],
        );
        vis[0]
    };
    let heat = mu / 0.72 / 0.4 * rise * 2.0;
    let shear = mu * slope * 2.0;
    let expected = [0.0, -shear, 0.0, 0.0, -heat - shear * slope * 0.05, 0.0];
    let found = flux(0);
    assert!((0..UNKNOWNS).all(|n| (found[n] - expected[n]).abs() < 1e-13), "{found:?} {expected:?}");
    // Within a wall only heat flows.
    let found = flux(1);
    assert!((found[4] + heat).abs() < 1e-13 && found[1] == 0.0, "{found:?}");
}
