//! The solver as plain sequential loops over arrays, without any of `op2`: the reference that tests and benches compare
//! the parallel loops with. It shares only one thing with them, the constants of [`physics`](crate::physics).

use std::time::Instant;

use num_traits::{Float, NumAssign};

use crate::mesh::Mesh;
use crate::physics::{CFL, EPS, GAM, GM1, UNKNOWNS, WALL, far_field};
use crate::solver::{CAUSE, Residual, Run};
use crate::{Error, Result};

/// A floating-point type the solver runs in, `f32` or `f64`.
pub trait Real: Float + NumAssign {}

impl Real for f32 {}
impl Real for f64 {}

/// Runs `iterations` iterations of the solver on `mesh` in the arithmetic of `T`, and calls `progress` after each.
///
/// # Errors
///
/// [`Error::Mesh`] for a mesh that cannot be computed on, [`Error::Diverged`] if a residual is not finite.
pub fn run<T: Real>(mesh: &Mesh, iterations: usize, progress: &mut dyn FnMut(&Residual)) -> Result<Run> {
    mesh.check()?;
    let mut state = State::<T>::new(mesh);
    let mut residuals = Vec::new();
    let start = Instant::now();
    for iteration in 1..=iterations {
        let residual = state.iterate(mesh, iteration);
        if !residual.rms.is_finite() {
            return Err(Error::Diverged { iteration, rms: residual.rms, cause: CAUSE });
        }
        progress(&residual);
        residuals.push(residual);
    }
    let seconds = start.elapsed().as_secs_f64();
    let q = state.q.iter().map(|q| q.map(widened)).collect();
    Ok(Run { seconds, residuals, q, ..Run::default() })
}

/// The arrays of a run, each with one entry per node (`x`) or cell (all others).
struct State<T> {
    constants: Constants<T>,
    x: Vec<[T; 2]>,
    q: Vec<[T; UNKNOWNS]>,
    qold: Vec<[T; UNKNOWNS]>,
    adt: Vec<T>,
    res: Vec<[T; UNKNOWNS]>,
}

struct Constants<T> {
    half: T,
    gam: T,
    gm1: T,
    cfl: T,
    eps: T,
    far: [T; UNKNOWNS],
}

impl<T: Real> State<T> {
    fn new(mesh: &Mesh) -> Self {
        let constants = Constants {
            half: narrowed(0.5),
            gam: narrowed(GAM),
            gm1: narrowed(GM1),
            cfl: narrowed(CFL),
            eps: narrowed(EPS),
            far: far_field().map(narrowed),
        };
        let cells = mesh.cells();
        Self {
            x: mesh.x.iter().map(|x| x.map(narrowed)).collect(),
            q: vec![constants.far; cells],
            qold: vec![[T::zero(); UNKNOWNS]; cells],
            adt: vec![T::zero(); cells],
            res: vec![[T::zero(); UNKNOWNS]; cells],
            constants,
        }
    }

    fn iterate(&mut self, mesh: &Mesh, iteration: usize) -> Residual {
        self.qold.copy_from_slice(&self.q);
        let mut change = Change { sum: T::zero(), max: T::zero(), max_cell: 0 };
        for _ in 0..2 {
            self.time_steps(mesh);
            self.interior_fluxes(mesh);
            self.boundary_fluxes(mesh);
            change = self.update();
        }
        Residual {
            iteration,
            rms: (widened(change.sum) / self.q.len() as f64).sqrt(),
            max_err: widened(change.max),
            max_err_cell: change.max_cell,
        }
    }

    fn time_steps(&mut self, mesh: &Mesh) {
        let k = &self.constants;
        for (cell, corners) in mesh.cell_nodes.iter().enumerate() {
            let q = self.q[cell];
            let ri = T::one() / q[0];
            let (u, v) = (ri * q[1], ri * q[2]);
            let c = (k.gam * k.gm1 * (ri * q[3] - k.half * (u * u + v * v))).sqrt();
            let mut sum = T::zero();
            for side in 0..4 {
                let here = self.x[corners[side] as usize];
                let next = self.x[corners[(side + 1) % 4] as usize];
                let (dx, dy) = (next[0] - here[0], next[1] - here[1]);
                sum += (u * dy - v * dx).abs() + c * (dx * dx + dy * dy).sqrt();
            }
            self.adt[cell] = sum / k.cfl;
        }
    }

    fn interior_fluxes(&mut self, mesh: &Mesh) {
        let k = &self.constants;
        for (nodes, cells) in mesh.edge_nodes.iter().zip(&mesh.edge_cells) {
            let side = difference(self.x[nodes[0] as usize], self.x[nodes[1] as usize]);
            let [one, two] = cells.map(|c| c as usize);
            let mu = k.half * (self.adt[one] + self.adt[two]) * k.eps;
            let flux = k.flux(side, self.q[one], self.q[two], mu);
            add(&mut self.res[one], flux);
            add(&mut self.res[two], flux.map(|f| -f));
        }
    }

    fn boundary_fluxes(&mut self, mesh: &Mesh) {
        let k = &self.constants;
        for ((nodes, &cell), &bound) in mesh.bedge_nodes.iter().zip(&mesh.bedge_cell).zip(&mesh.bound) {
            let side = difference(self.x[nodes[0] as usize], self.x[nodes[1] as usize]);
            let cell = cell as usize;
            let q = self.q[cell];
            if bound == WALL {
                let p = k.pressure(q);
                self.res[cell][1] += p * side[1];
                self.res[cell][2] -= p * side[0];
            } else {
                let flux = k.flux(side, q, k.far, self.adt[cell] * k.eps);
                add(&mut self.res[cell], flux);
            }
        }
    }

    fn update(&mut self) -> Change<T> {
        let mut change = Change { sum: T::zero(), max: T::zero(), max_cell: 0 };
        for cell in 0..self.q.len() {
            for n in 0..UNKNOWNS {
                let del = self.res[cell][n] / self.adt[cell];
                self.q[cell][n] = self.qold[cell][n] - del;
                self.res[cell][n] = T::zero();
                let square = del * del;
                change.sum += square;
                if square > change.max {
                    (change.max, change.max_cell) = (square, cell as u32);
                }
            }
        }
        change
    }
}

impl<T: Real> Constants<T> {
    fn pressure(&self, q: [T; UNKNOWNS]) -> T {
        let ri = T::one() / q[0];
        self.gm1 * (q[3] - self.half * ri * (q[1] * q[1] + q[2] * q[2]))
    }

    /// Flux through a side with `(dx, dy)`, from state `a` into state `b`: the mean of both, and dissipation `mu`.
    fn flux(&self, [dx, dy]: [T; 2], a: [T; UNKNOWNS], b: [T; UNKNOWNS], mu: T) -> [T; UNKNOWNS] {
        let volume = |q: [T; UNKNOWNS]| T::one() / q[0] * (q[1] * dy - q[2] * dx);
        let (pa, pb) = (self.pressure(a), self.pressure(b));
        let (va, vb) = (volume(a), volume(b));
        [
            self.half * (va * a[0] + vb * b[0]) + mu * (a[0] - b[0]),
            self.half * (va * a[1] + pa * dy + vb * b[1] + pb * dy) + mu * (a[1] - b[1]),
            self.half * (va * a[2] - pa * dx + vb * b[2] - pb * dx) + mu * (a[2] - b[2]),
            self.half * (va * (a[3] + pa) + vb * (b[3] + pb)) + mu * (a[3] - b[3]),
        ]
    }
}

/// The result of `update`: the sum of the squared changes, the greatest of them and its (first) cell.
struct Change<T> {
    sum: T,
    max: T,
    max_cell: u32,
}

fn add<T: Real>(to: &mut [T; UNKNOWNS], from: [T; UNKNOWNS]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

fn difference<T: Real>(a: [T; 2], b: [T; 2]) -> [T; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn narrowed<T: Real>(value: f64) -> T {
    T::from(value).expect("every double can be rounded to a shorter float")
}

fn widened<T: Real>(value: T) -> f64 {
    value.to_f64().expect("every float can be widened to a double")
}
