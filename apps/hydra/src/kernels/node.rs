//! Loops over the nodes.

use op2::ArgMax;

use super::gas::{dot, eddy_viscosity, pressure};
use crate::physics::scheme::{CFL, FRONT, SHOCK};
use crate::physics::{GAMMA, ON_WALL, SUTHERLAND, UNKNOWNS};

/// Keeps the unknowns as they are before the first stage, and clears what `accu` adds to.
#[op2::kernel]
pub fn save(
    q: &[f64; UNKNOWNS],
    old: &mut [f64; UNKNOWNS],
    slopes: &mut [[f64; 3]; UNKNOWNS],
    lsq: &mut [f64; 6],
    radius: &mut [f64; 2],
) {
    *old = *q;
    *slopes = [[0.0; 3]; UNKNOWNS];
    *lsq = [0.0; 6];
    *radius = [0.0; 2];
}

/// What follows from the unknowns: pressure, temperature, speed of sound, viscosity after Sutherland, eddy viscosity.
/// `viscosity` is that of the stream.
#[op2::kernel]
pub fn primitives(q: &[f64; UNKNOWNS], aux: &mut [f64; 7], viscosity: &f64) {
    let p = pressure(q);
    let t = GAMMA * p / q[0];
    let mu = *viscosity * t * t.sqrt() * (1.0 + SUTHERLAND) / (t + SUTHERLAND);
    aux[0] = p;
    aux[1] = t;
    aux[2] = t.sqrt();
    aux[3] = mu;
    aux[4] = eddy_viscosity(q[5], mu);
}

/// Makes gradients of the sums of `accu`, and from them the sensors, and the local time step from the radii.
///
/// The sensors are squares of relative changes over the node's own length, the cube root of its volume, up to 1.
#[op2::kernel]
pub fn solve_slopes(
    q: &[f64; UNKNOWNS],
    aux: &[f64; 7],
    lsq: &[f64; 6],
    radius: &[f64; 2],
    slopes: &mut [[f64; 3]; UNKNOWNS],
    sensor: &mut [f64; 2],
    step: &mut f64,
) {
    // Cholesky: a symmetric positive matrix, whose factors are not sensitive to flat surroundings.
    let l11 = lsq[0].sqrt();
    let l21 = lsq[1] / l11;
    let l31 = lsq[2] / l11;
    let l22 = (lsq[3] - l21 * l21).sqrt();
    let l32 = (lsq[4] - l21 * l31) / l22;
    let l33 = (lsq[5] - l31 * l31 - l32 * l32).sqrt();
    for n in 0..UNKNOWNS {
        let a = slopes[n][0] / l11;
        let b = (slopes[n][1] - l21 * a) / l22;
        let c = (slopes[n][2] - l31 * a - l32 * b) / l33;
        slopes[n][2] = c / l33;
        slopes[n][1] = (b - l32 * slopes[n][2]) / l22;
        slopes[n][0] = (a - l21 * slopes[n][1] - l31 * slopes[n][2]) / l11;
    }
    let length = aux[6].cbrt();
    let rise = dot(&slopes[4], &slopes[4]).sqrt() * length / (SHOCK * aux[0]);
    let nu = q[5].abs() + aux[3];
    // Where there is neither turbulence nor viscosity, there is no front.
    let front = dot(&slopes[5], &slopes[5]).sqrt() * q[0] * length / (FRONT * nu.max(f64::MIN_POSITIVE));
    sensor[0] = (rise * rise).min(1.0);
    sensor[1] = (front * front).min(1.0);
    // On bricks, half the sum of inviscid radii is that of an upwind scheme, and twice that of the viscous ones the
    // greatest of its eigenvalues.
    *step = CFL * aux[6] / (0.5 * radius[0] + 2.0 * radius[1]);
}

/// Clears what `edgecon` and `vflux` add to.
#[op2::kernel]
pub fn clear_edgecon(grad: &mut [[f64; 3]; UNKNOWNS], lap: &mut [f64; UNKNOWNS], vis: &mut [f64; UNKNOWNS]) {
    *grad = [[0.0; 3]; UNKNOWNS];
    *lap = [0.0; UNKNOWNS];
    *vis = [0.0; UNKNOWNS];
}

/// Makes gradients and pseudo-Laplacians of the sums of `edgecon`. Taking off what a linear field would give, the
/// second vanish for linear fields on any mesh.
#[op2::kernel]
pub fn solve_gradients(metric: &[f64; 13], grad: &mut [[f64; 3]; UNKNOWNS], lap: &mut [f64; UNKNOWNS]) {
    for n in 0..UNKNOWNS {
        let sum = grad[n];
        for i in 0..3 {
            grad[n][i] = metric[3 * i] * sum[0] + metric[3 * i + 1] * sum[1] + metric[3 * i + 2] * sum[2];
        }
        let linear = grad[n][0] * metric[10] + grad[n][1] * metric[11] + grad[n][2] * metric[12];
        lap[n] = lap[n] / metric[9] - linear;
    }
}

/// Mixes the viscous and smoothing fluxes of this stage with those of the stages before.
#[op2::kernel]
pub fn blend(new: &f64, vis: &[f64; UNKNOWNS], blended: &mut [f64; UNKNOWNS]) {
    for n in 0..UNKNOWNS {
        blended[n] = *new * vis[n] + (1.0 - *new) * blended[n];
    }
}

/// A Runge–Kutta stage from the unknowns before the first one, with what flows out of the node, per volume; clears
/// that.
///
/// The source's own decay is taken implicitly. On a wall there is no velocity, and no turbulence.
#[op2::kernel]
pub fn stage(
    factor: &f64,
    flag: &i32,
    step: &f64,
    aux: &[f64; 7],
    old: &[f64; UNKNOWNS],
    blended: &[f64; UNKNOWNS],
    source: &[f64; 2],
    res: &mut [f64; UNKNOWNS],
    q: &mut [f64; UNKNOWNS],
) {
    let time = *factor * *step;
    for n in 0..UNKNOWNS {
        let change = -time * (res[n] + blended[n]) / aux[6];
        q[n] = old[n] + change;
        res[n] = 0.0;
    }
    q[5] = old[5] + (q[5] - old[5] + time * source[0]) / (1.0 + time * source[1]);
    if *flag == ON_WALL {
        q[1] = 0.0;
        q[2] = 0.0;
        q[3] = 0.0;
        q[5] = 0.0;
    }
}

/// Gathers how fast the density changed in a whole step, and where most.
#[op2::kernel]
pub fn measure(
    q: &[f64; UNKNOWNS],
    old: &[f64; UNKNOWNS],
    step: &f64,
    squares: &mut f64,
    worst: &mut ArgMax<f64, u32>,
    node: u32,
) {
    let rate = (q[0] - old[0]) / *step;
    *squares += rate * rate;
    worst.update(rate * rate, node);
}
