//! The five kernels of the solver: plain functions of one element, as the loops of
//! [`solver`](crate::solver) run them.

use op2::{ArgMax, Float};

use crate::physics::{CFL, EPS, GAM, GM1, UNKNOWNS, WALL};

/// Keeps the solution of the last iteration.
#[op2::kernel]
pub fn save_soln<F: Float>(q: &[F; UNKNOWNS], qold: &mut [F; UNKNOWNS]) {
    *qold = *q;
}

/// The local time step of a cell, as area over time step: the sum over the four sides of
/// |velocity · normal| + speed of sound · length, divided by the Courant number.
#[op2::kernel]
pub fn adt_calc<F: Float>(x: [&[F; 2]; 4], q: &[F; UNKNOWNS], adt: &mut F) {
    let ri = F::lit(1.0) / q[0];
    let u = ri * q[1];
    let v = ri * q[2];
    let c = (F::lit(GAM) * F::lit(GM1) * (ri * q[3] - F::lit(0.5) * (u * u + v * v))).sqrt();
    let mut sum = F::lit(0.0);
    for side in 0..4 {
        let next = (side + 1) % 4;
        let dx = x[next][0] - x[side][0];
        let dy = x[next][1] - x[side][1];
        sum += (u * dy - v * dx).abs() + c * (dx * dx + dy * dy).sqrt();
    }
    *adt = sum / F::lit(CFL);
}

/// Flux through an edge between two cells: the mean of the two sides' fluxes, and a dissipation
/// proportional to the jump.
#[op2::kernel]
pub fn res_calc<F: Float>(
    x1: &[F; 2],
    x2: &[F; 2],
    q1: &[F; UNKNOWNS],
    q2: &[F; UNKNOWNS],
    adt1: &F,
    adt2: &F,
    res1: &mut [F; UNKNOWNS],
    res2: &mut [F; UNKNOWNS],
) {
    let dx = x1[0] - x2[0];
    let dy = x1[1] - x2[1];
    let mu = F::lit(0.5) * (*adt1 + *adt2) * F::lit(EPS);
    let flux = edge_flux(dx, dy, *q1, *q2, mu);
    for n in 0..UNKNOWNS {
        res1[n] += flux[n];
        res2[n] -= flux[n];
    }
}

/// Flux through a boundary edge: the pressure on a wall, otherwise as between two cells, the outer
/// one having the far-field state.
#[op2::kernel]
pub fn bres_calc<F: Float>(
    x1: &[F; 2],
    x2: &[F; 2],
    q: &[F; UNKNOWNS],
    adt: &F,
    res: &mut [F; UNKNOWNS],
    bound: &i32,
    qinf: &[F; UNKNOWNS],
) {
    let dx = x1[0] - x2[0];
    let dy = x1[1] - x2[1];
    if *bound == WALL {
        let (p, _) = pressure_and_volume(*q, dx, dy);
        res[1] += p * dy;
        res[2] -= p * dx;
    } else {
        let flux = edge_flux(dx, dy, *q, *qinf, *adt * F::lit(EPS));
        for n in 0..UNKNOWNS {
            res[n] += flux[n];
        }
    }
}

/// Advances a cell by its local time step and clears its residual; gathers the squared changes and
/// the greatest of them with its cell.
#[op2::kernel]
pub fn update<F: Float>(
    qold: &[F; UNKNOWNS],
    q: &mut [F; UNKNOWNS],
    res: &mut [F; UNKNOWNS],
    adt: &F,
    rms: &mut F,
    worst: &mut ArgMax<F, u32>,
    cell: u32,
) {
    let adti = F::lit(1.0) / *adt;
    for n in 0..UNKNOWNS {
        let del = adti * res[n];
        q[n] = qold[n] - del;
        res[n] = F::lit(0.0);
        *rms += del * del;
        worst.update(del * del, cell);
    }
}

/// Pressure of a state, and its volume flux through an edge with the differences `dx`, `dy` of its
/// nodes.
#[op2::device_fn]
fn pressure_and_volume<F: Float>(q: [F; UNKNOWNS], dx: F, dy: F) -> (F, F) {
    let ri = F::lit(1.0) / q[0];
    let p = F::lit(GM1) * (q[3] - F::lit(0.5) * ri * (q[1] * q[1] + q[2] * q[2]));
    (p, ri * (q[1] * dy - q[2] * dx))
}

/// Flux from state `a` to state `b` through an edge with the differences `dx`, `dy` of its nodes.
#[op2::device_fn]
fn edge_flux<F: Float>(dx: F, dy: F, a: [F; UNKNOWNS], b: [F; UNKNOWNS], mu: F) -> [F; UNKNOWNS] {
    let half = F::lit(0.5);
    let (pa, va) = pressure_and_volume(a, dx, dy);
    let (pb, vb) = pressure_and_volume(b, dx, dy);
    [
        half * (va * a[0] + vb * b[0]) + mu * (a[0] - b[0]),
        half * (va * a[1] + pa * dy + vb * b[1] + pb * dy) + mu * (a[1] - b[1]),
        half * (va * a[2] - pa * dx + vb * b[2] - pb * dx) + mu * (a[2] - b[2]),
        half * (va * (a[3] + pa) + vb * (b[3] + pb)) + mu * (a[3] - b[3]),
    ]
}
