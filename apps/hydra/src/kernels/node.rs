//! Loops over the nodes.

use op2::{ArgMax, Float};

use super::data::{Aux, Metric, Radii, Sensors, Source};
use super::gas::{dot, eddy_viscosity, pressure, velocity};
use crate::physics::scheme::{CFL, FRONT, SHOCK};
use crate::physics::{GAMMA, ON_WALL, SUTHERLAND, UNKNOWNS};

/// Keeps the unknowns as they are before the first stage, and clears what `accu` adds to.
#[op2::kernel]
pub fn save<F: Float>(
    q: &[F; UNKNOWNS],
    old: &mut [F; UNKNOWNS],
    slopes: &mut [[F; 3]; UNKNOWNS],
    lsq: &mut [F; 6],
    radius: &mut Radii<F>,
) {
    *old = *q;
    let none = F::lit(0.0);
    *slopes = [[none; 3]; UNKNOWNS];
    *lsq = [none; 6];
    *radius = Radii { inviscid: none, viscous: none };
}

/// Quantities derived from the unknowns: pressure, temperature, speed of sound, viscosity after Sutherland, eddy
/// viscosity. `viscosity` is that of the stream.
#[op2::kernel]
pub fn primitives<F: Float>(q: &[F; UNKNOWNS], aux: &mut Aux<F>, viscosity: &F) {
    let per_density = F::lit(1.0) / q[0];
    let p = pressure(q, &velocity(q, per_density));
    let t = F::lit(GAMMA) * p * per_density;
    let mu = *viscosity * t * t.sqrt() * F::lit(1.0 + SUTHERLAND) / (t + F::lit(SUTHERLAND));
    aux.pressure = p;
    aux.temperature = t;
    aux.sound = t.sqrt();
    aux.laminar = mu;
    aux.eddy = eddy_viscosity(q[5], mu);
}

/// Makes gradients of the sums of `accu`, and from them the sensors, and the local time step from the radii.
///
/// The sensors are squares of relative changes over the node's own length, the cube root of its volume, up to 1.
#[op2::kernel]
pub fn solve_slopes<F: Float>(
    q: &[F; UNKNOWNS],
    aux: &Aux<F>,
    lsq: &[F; 6],
    radius: &Radii<F>,
    slopes: &mut [[F; 3]; UNKNOWNS],
    sensor: &mut Sensors<F>,
    step: &mut F,
) {
    // Cholesky: a symmetric positive matrix, whose factors are not sensitive to flat surroundings.
    // `d1`, `d2`, `d3` are one over the factor's diagonal.
    let one = F::lit(1.0);
    let d1 = one / lsq[0].sqrt();
    let l21 = lsq[1] * d1;
    let l31 = lsq[2] * d1;
    let d2 = one / (lsq[3] - l21 * l21).sqrt();
    let l32 = (lsq[4] - l21 * l31) * d2;
    let d3 = one / (lsq[5] - l31 * l31 - l32 * l32).sqrt();
    for n in 0..UNKNOWNS {
        let a = slopes[n][0] * d1;
        let b = (slopes[n][1] - l21 * a) * d2;
        let c = (slopes[n][2] - l31 * a - l32 * b) * d3;
        slopes[n][2] = c * d3;
        slopes[n][1] = (b - l32 * slopes[n][2]) * d2;
        slopes[n][0] = (a - l21 * slopes[n][1] - l31 * slopes[n][2]) * d1;
    }
    let length = aux.volume.cbrt();
    let rise = dot(&slopes[4], &slopes[4]).sqrt() * length / (F::lit(SHOCK) * aux.pressure);
    let nu = q[5].abs() + aux.laminar;
    // Where there is neither turbulence nor viscosity, there is no front.
    let front = dot(&slopes[5], &slopes[5]).sqrt() * q[0] * length / (F::lit(FRONT) * nu.max(F::MIN_POSITIVE));
    let one = F::lit(1.0);
    *sensor = Sensors { shock: (rise * rise).min(one), front: (front * front).min(one) };
    // On bricks, half the sum of inviscid radii is that of an upwind scheme, and twice that of the viscous ones the
    // greatest of its eigenvalues.
    *step = F::lit(CFL) * aux.volume / (F::lit(0.5) * radius.inviscid + F::lit(2.0) * radius.viscous);
}

/// Clears what `edgecon` and `vflux` add to.
#[op2::kernel]
pub fn clear_edgecon<F: Float>(grad: &mut [[F; 3]; UNKNOWNS], lap: &mut [F; UNKNOWNS], vis: &mut [F; UNKNOWNS]) {
    let none = F::lit(0.0);
    *grad = [[none; 3]; UNKNOWNS];
    *lap = [none; UNKNOWNS];
    *vis = [none; UNKNOWNS];
}

/// Makes gradients and pseudo-Laplacians of the sums of `edgecon`. Taking off what a linear field would give, the
/// second vanish for linear fields on any mesh.
#[op2::kernel]
pub fn solve_gradients<F: Float>(metric: &Metric<F>, grad: &mut [[F; 3]; UNKNOWNS], lap: &mut [F; UNKNOWNS]) {
    let per_weight = F::lit(1.0) / metric.weight;
    for n in 0..UNKNOWNS {
        let sum = grad[n];
        for i in 0..3 {
            grad[n][i] = dot(&metric.matrix[i], &sum);
        }
        let linear = dot(&grad[n], &metric.mean);
        lap[n] = per_weight * lap[n] - linear;
    }
}

/// Mixes the viscous and smoothing fluxes of this stage with those of the stages before.
#[op2::kernel]
pub fn blend<F: Float>(new: &F, vis: &[F; UNKNOWNS], blended: &mut [F; UNKNOWNS]) {
    for n in 0..UNKNOWNS {
        blended[n] = *new * vis[n] + (F::lit(1.0) - *new) * blended[n];
    }
}

/// A Runge–Kutta stage from the unknowns before the first one, with what flows out of the node, per volume; clears
/// that.
///
/// The source's own decay is taken implicitly. On a wall there is no velocity, and no turbulence.
#[op2::kernel]
pub fn stage<F: Float>(
    factor: &F,
    flag: &i32,
    step: &F,
    aux: &Aux<F>,
    old: &[F; UNKNOWNS],
    blended: &[F; UNKNOWNS],
    source: &Source<F>,
    res: &mut [F; UNKNOWNS],
    q: &mut [F; UNKNOWNS],
) {
    let time = *factor * *step;
    let time_per_volume = time / aux.volume;
    for n in 0..UNKNOWNS {
        let change = -time_per_volume * (res[n] + blended[n]);
        q[n] = old[n] + change;
        res[n] = F::lit(0.0);
    }
    q[5] = old[5] + (q[5] - old[5] + time * source.strength) / (F::lit(1.0) + time * source.decay);
    if *flag == ON_WALL {
        let none = F::lit(0.0);
        q[1] = none;
        q[2] = none;
        q[3] = none;
        q[5] = none;
    }
}

/// Gathers how fast the density changed in a whole step, and where most.
#[op2::kernel]
pub fn measure<F: Float>(
    q: &[F; UNKNOWNS],
    old: &[F; UNKNOWNS],
    step: &F,
    squares: &mut F,
    worst: &mut ArgMax<F, u32>,
    node: u32,
) {
    let rate = (q[0] - old[0]) / *step;
    *squares += rate * rate;
    worst.update(rate * rate, node);
}
