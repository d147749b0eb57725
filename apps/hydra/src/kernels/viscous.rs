//! Viscous and smoothing fluxes.

use op2::Float;

use super::data::{Aux, Radii, Sensors};
use super::gas::{between, dot, own_diffusion, reciprocals, velocity};
use crate::physics::sa::DIFFUSION;
use crate::physics::scheme::SMOOTHING;
use crate::physics::{CONDUCTION, CONDUCTION_TURBULENT, GAMMA, ON_WALL, UNKNOWNS};

/// The flux of friction, conduction and diffusion of turbulence through a dual face, and a background smoothing by
/// differences of pseudo-Laplacians.
///
/// Gradients on the face are means of those of both ends, whose part along the edge gives way to the difference along
/// the edge (J. M. Weiss, J. P. Maruszewski, W. A. Smith, AIAA Journal 37, 1999). Within a wall, where velocity and
/// turbulence are prescribed, only heat flows.
#[op2::kernel]
pub fn vflux<F: Float>(
    q: [&[F; UNKNOWNS]; 2],
    x: [&[F; 3]; 2],
    grad: [&[[F; 3]; UNKNOWNS]; 2],
    lap: [&[F; UNKNOWNS]; 2],
    aux: [&Aux<F>; 2],
    flag: [&i32; 2],
    radius: [&Radii<F>; 2],
    sensor: [&Sensors<F>; 2],
    normal: &[F; 3],
    vis: [&mut [F; UNKNOWNS]; 2],
) {
    let dx = between(x[0], x[1]);
    let square = dot(&dx, &dx);
    let (per_a, per_b) = reciprocals(q[0][0], q[1][0]);
    let a = primitive(q[0], per_a, aux[0].temperature);
    let b = primitive(q[1], per_b, aux[1].temperature);
    let ga = primitive_gradients(q[0], per_a, grad[0]);
    let gb = primitive_gradients(q[1], per_b, grad[1]);
    let face = on_face(&a, &b, &ga, &gb, &dx, square);
    let half = F::lit(0.5);
    let u = [half * (a[0] + b[0]), half * (a[1] + b[1]), half * (a[2] + b[2])];
    let viscosities = Viscosities {
        laminar: half * (aux[0].laminar + aux[1].laminar),
        eddy: half * (aux[0].eddy + aux[1].eddy),
        own: half * (own_diffusion(q[0][5], aux[0].laminar) + own_diffusion(q[1][5], aux[1].laminar)),
    };
    let friction = if *flag[0] == ON_WALL && *flag[1] == ON_WALL { F::lit(0.0) } else { F::lit(1.0) };
    let viscous = friction_and_heat(&viscosities, &u, &face, normal, friction);

    let area = dot(normal, normal).sqrt();
    let wave = (dot(&u, normal)).abs() + half * area * (aux[0].sound + aux[1].sound);
    let strength = smoothing(wave, aux[0], aux[1], radius[0], radius[1], square);
    let one = F::lit(1.0);
    let shock = one - sensor[0].shock.max(sensor[1].shock);
    let front = one - sensor[0].front.max(sensor[1].front);
    // The smoothing of the energy is to leave total enthalpy alone (A. Jameson, MAE Report 1651, 1983), so it acts on
    // energy and pressure.
    let (energy_a, energy_b) = (q[0][4], q[1][4]);
    let enthalpy = one + half * (aux[0].pressure * energy_b + aux[1].pressure * energy_a) / (energy_a * energy_b);
    for n in 0..UNKNOWNS {
        let smooth = if n == 5 { front } else { shock };
        let factor = if n == 4 { enthalpy } else { one };
        let flux = strength * smooth * factor * (lap[1][n] - lap[0][n]) - viscous[n];
        vis[0][n] += flux;
        vis[1][n] -= flux;
    }
}

/// Velocity, temperature and turbulence variable.
#[op2::device_fn]
fn primitive<F: Float>(q: &[F; UNKNOWNS], per_density: F, temperature: F) -> [F; 5] {
    let u = velocity(q, per_density);
    [u[0], u[1], u[2], temperature, per_density * q[5]]
}

/// Gradients on the face from the values `a`, `b` and the gradients `ga`, `gb` of both ends.
#[op2::device_fn]
fn on_face<F: Float>(
    a: &[F; 5],
    b: &[F; 5],
    ga: &[[F; 3]; 5],
    gb: &[[F; 3]; 5],
    dx: &[F; 3],
    square: F,
) -> [[F; 3]; 5] {
    let half = F::lit(0.5);
    let per_square = F::lit(1.0) / square;
    let mut face = [[F::lit(0.0); 3]; 5];
    for n in 0..5 {
        let mean = [half * (ga[n][0] + gb[n][0]), half * (ga[n][1] + gb[n][1]), half * (ga[n][2] + gb[n][2])];
        let missing = per_square * (b[n] - a[n] - dot(&mean, dx));
        for d in 0..3 {
            face[n][d] = mean[d] + missing * dx[d];
        }
    }
    face
}

/// Gradients of velocity, temperature and turbulence variable, by the chain rule from those of the unknowns; the
/// temperature is γ (γ − 1) times the inner energy.
#[op2::device_fn]
fn primitive_gradients<F: Float>(q: &[F; UNKNOWNS], per_density: F, grad: &[[F; 3]; UNKNOWNS]) -> [[F; 3]; 5] {
    let u = velocity(q, per_density);
    let (energy, nu) = (per_density * q[4], per_density * q[5]);
    let mut out = [[F::lit(0.0); 3]; 5];
    for d in 0..3 {
        let density = grad[0][d];
        for n in 0..3 {
            out[n][d] = per_density * (grad[n + 1][d] - u[n] * density);
        }
        let kinetic = u[0] * out[0][d] + u[1] * out[1][d] + u[2] * out[2][d];
        out[3][d] = F::lit(GAMMA * (GAMMA - 1.0)) * (per_density * (grad[4][d] - energy * density) - kinetic);
        out[4][d] = per_density * (grad[5][d] - nu * density);
    }
    out
}

/// Viscosities on a face.
#[op2::record]
struct Viscosities<F> {
    laminar: F,
    /// The eddies'.
    eddy: F,
    /// The one that the turbulence variable adds in its own diffusion.
    own: F,
}

/// The viscous flux through the face: friction after Stokes and Boussinesq, heat after Fourier, and the diffusion of
/// the turbulence variable (ICCFD7-1902). All but the conduction is multiplied by `friction`.
#[op2::device_fn]
fn friction_and_heat<F: Float>(
    viscosities: &Viscosities<F>,
    u: &[F; 3],
    face: &[[F; 3]; 5],
    normal: &[F; 3],
    friction: F,
) -> [F; UNKNOWNS] {
    let Viscosities { laminar, eddy, own } = *viscosities;
    let mu = friction * (laminar + eddy);
    let divergence = face[0][0] + face[1][1] + face[2][2];
    let mut force = [F::lit(0.0); 3];
    for i in 0..3 {
        let mut stress = F::lit(-2.0 / 3.0) * divergence * normal[i];
        for j in 0..3 {
            stress += (face[i][j] + face[j][i]) * normal[j];
        }
        force[i] = mu * stress;
    }
    let conductivity = F::lit(CONDUCTION) * laminar + F::lit(CONDUCTION_TURBULENT) * eddy;
    let heat = conductivity * dot(&face[3], normal);
    let turbulence = friction * F::lit(DIFFUSION) * (laminar + own) * dot(&face[4], normal);
    [F::lit(0.0), force[0], force[1], force[2], heat + dot(u, &force), turbulence]
}

/// Strength of the background smoothing: the fastest wave through the face, scaled down where viscosity does the
/// smoothing (L. Martinelli, thesis, Princeton, 1987, scales by radii in this way) and within an edge's length of the
/// wall, and never more than either end bears in a time step of its own. The last two are our own.
#[op2::device_fn]
fn smoothing<F: Float>(
    wave: F,
    aux_a: &Aux<F>,
    aux_b: &Aux<F>,
    radius_a: &Radii<F>,
    radius_b: &Radii<F>,
    square: F,
) -> F {
    let (va, vb) = (aux_a.volume, aux_b.volume);
    // The smaller of two radii per volume times the smaller volume, by one division.
    let bearable = (radius_a.inviscid * vb).min(radius_b.inviscid * va) / va.max(vb);
    let inviscid = radius_a.inviscid + radius_b.inviscid;
    let all = inviscid + radius_a.viscous + radius_b.viscous;
    let distance = aux_a.distance.min(aux_b.distance);
    let distance2 = distance * distance;
    // The part that viscosity leaves, and less within an edge's length of the wall.
    let part = inviscid * distance2 / (all * (distance2 + square));
    F::lit(SMOOTHING) * wave.min(bearable) * part
}
