//! The airfoil loops written by hand with rayon, without op2: plain vectors, the kernels inside the loops, and the blocks
//! and colours of op2's plan. The bench compares op2's generated code with them.

use std::ops::Range;
use std::sync::Arc;

use airfoil::mesh::Mesh;
use airfoil::physics::{CFL, EPS, GAM, GM1, UNKNOWNS, WALL, far_field};
use op2::Plan;
use op2_benches::Rows;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A state, or a change of it.
type State = [f64; UNKNOWNS];

/// Pieces that a loop over cells is cut into, as in op2's own plans.
const PIECES: usize = 256;

/// The flow on a mesh.
pub(crate) struct Hand {
    /// `None` for sequential loops in the order of the elements.
    pool: Option<ThreadPool>,
    /// Blocks and colours of `res_calc`.
    plan: Arc<Plan>,
    mesh: Mesh,
    /// Cells per piece.
    piece: usize,
    far: State,
    q: Vec<State>,
    qold: Vec<State>,
    adt: Vec<f64>,
    res: Vec<State>,
}

/// The results of `update`: the sum of the squared changes, the greatest of them, and its first cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// Sum of the squared changes.
    pub(crate) sum: f64,
    /// Greatest squared change.
    pub(crate) max: f64,
    /// The cell of the greatest squared change.
    pub(crate) cell: u32,
}

impl Hand {
    /// The flow at rest in the far-field state, on `threads` threads, or sequential without a number. `plan` is a plan
    /// of `res_calc` on the same mesh.
    pub(crate) fn new(mesh: &Mesh, threads: Option<usize>, plan: Arc<Plan>) -> Self {
        // The loops have no bounds checks. This checks once all that makes them sound.
        let below = |entries: &[u32], size: usize| entries.iter().all(|&entry| (entry as usize) < size);
        assert!(below(mesh.cell_nodes.as_flattened(), mesh.nodes()), "cells have existing nodes");
        assert!(below(mesh.edge_nodes.as_flattened(), mesh.nodes()), "edges have existing nodes");
        assert!(below(mesh.edge_cells.as_flattened(), mesh.cells()), "edges have existing cells");
        assert!(plan.len() == mesh.edges(), "the plan is one of all edges");
        assert!(plan.order().is_none_or(|order| below(order, mesh.edges())), "the plan leads to existing edges");
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let cells = mesh.cells();
        let far = far_field();
        Hand {
            pool: threads.map(pool),
            plan,
            mesh: mesh.clone(),
            piece: cells.div_ceil(PIECES),
            far,
            q: vec![far; cells],
            qold: vec![[0.0; UNKNOWNS]; cells],
            adt: vec![0.0; cells],
            res: vec![[0.0; UNKNOWNS]; cells],
        }
    }

    /// The solution.
    pub(crate) fn solution(&self) -> &[State] {
        &self.q
    }

    /// Keeps the solution.
    pub(crate) fn save_soln(&mut self) {
        let Hand { pool, piece, q, qold, .. } = self;
        let Some(pool) = pool else { return qold.copy_from_slice(q) };
        let pieces = qold.par_chunks_mut(*piece).zip(q.par_chunks(*piece));
        pool.install(|| pieces.for_each(|(qold, q)| qold.copy_from_slice(q)));
    }

    /// Local time steps.
    pub(crate) fn adt_calc(&mut self) {
        let Hand { pool, mesh, piece, q, adt, .. } = self;
        let x = Rows::of_shared(&mesh.x);
        let body = |adt: &mut [f64], q: &[State], corners: &[[u32; 4]]| {
            for ((adt, q), corners) in adt.iter_mut().zip(q).zip(corners) {
                // SAFETY: the corners of a cell are nodes, as `new` has checked.
                let corners = corners.map(|node| unsafe { x.get(node) });
                *adt = time_step(corners, q);
            }
        };
        let Some(pool) = pool else { return body(adt, q, &mesh.cell_nodes) };
        let pieces = (adt.par_chunks_mut(*piece), q.par_chunks(*piece), mesh.cell_nodes.par_chunks(*piece));
        pool.install(|| pieces.into_par_iter().for_each(|(adt, q, corners)| body(adt, q, corners)));
    }

    /// Fluxes through the edges between cells.
    pub(crate) fn res_calc(&mut self) {
        let Hand { pool, plan, mesh, q, adt, res, .. } = self;
        let edges = Edges {
            nodes: Rows::of_shared(&mesh.edge_nodes),
            cells: Rows::of_shared(&mesh.edge_cells),
            x: Rows::of_shared(&mesh.x),
            q: Rows::of_shared(q),
            adt: Rows::of_shared(adt),
            res: Rows::of(res),
        };
        let run = |positions: Range<usize>| match plan.order() {
            // SAFETY: `new` has checked that the plan and the maps lead to existing elements; blocks that run at once
            // have no cell of `res` in common.
            None => positions.for_each(|e| unsafe { edges.exchange(e as u32) }),
            // SAFETY: as above.
            Some(order) => order[positions].iter().for_each(|&e| unsafe { edges.exchange(e) }),
        };
        let Some(pool) = pool else {
            // SAFETY: as above, and nothing runs at once.
            return (0..mesh.edges() as u32).for_each(|e| unsafe { edges.exchange(e) });
        };
        pool.install(|| {
            for colour in 0..plan.colours() {
                plan.blocks_of(colour).par_iter().for_each(|&block| run(plan.block(block as usize)));
            }
        });
    }

    /// Fluxes through the boundary, on one thread, because there are few such edges.
    pub(crate) fn bres_calc(&mut self) {
        let Hand { mesh, far, q, adt, res, .. } = self;
        for ((nodes, &cell), &bound) in mesh.bedge_nodes.iter().zip(&mesh.bedge_cell).zip(&mesh.bound) {
            let [x1, x2] = nodes.map(|node| mesh.x[node as usize]);
            let (dx, dy) = (x1[0] - x2[0], x1[1] - x2[1]);
            let cell = cell as usize;
            let (q, res) = (&q[cell], &mut res[cell]);
            if bound == WALL {
                let p = pressure(1.0 / q[0], q);
                res[1] += p * dy;
                res[2] -= p * dx;
            } else {
                add(res, flux([dx, dy], q, far, adt[cell] * EPS));
            }
        }
    }

    /// The step in time.
    pub(crate) fn update(&mut self) -> Change {
        let Hand { pool, piece, q, qold, adt, res, .. } = self;
        let Some(pool) = pool else { return advance(0, q, qold, adt, res) };
        let piece = *piece;
        let pieces =
            (q.par_chunks_mut(piece), qold.par_chunks(piece), adt.par_chunks(piece), res.par_chunks_mut(piece));
        let pieces = pieces.into_par_iter().enumerate();
        let advanced = pieces.map(|(n, (q, qold, adt, res))| advance(n * piece, q, qold, adt, res));
        let parts: Vec<Change> = pool.install(|| advanced.collect());
        // Combines them in order, so that the sum does not depend on the number of threads.
        parts.into_iter().fold(Change::NONE, Change::and)
    }
}

impl Change {
    const NONE: Change = Change { sum: 0.0, max: f64::NEG_INFINITY, cell: 0 };

    /// The result over the cells of both; those of `later` come later.
    fn and(self, later: Change) -> Change {
        let (max, cell) = if later.max > self.max { (later.max, later.cell) } else { (self.max, self.cell) };
        Change { sum: self.sum + later.sum, max, cell }
    }
}

/// The data of `res_calc`.
#[derive(Clone, Copy)]
struct Edges {
    nodes: Rows<[u32; 2]>,
    cells: Rows<[u32; 2]>,
    x: Rows<[f64; 2]>,
    q: Rows<State>,
    adt: Rows<f64>,
    res: Rows<State>,
}

impl Edges {
    /// The flux through edge `e`. Inlined everywhere, because a call per edge costs a fifth of the loop.
    ///
    /// # Safety
    /// Edge `e`, its nodes and its cells exist, and no other thread accesses its rows of `res` meanwhile.
    #[inline(always)]
    unsafe fn exchange(self, e: u32) {
        // SAFETY: passed on to the caller.
        unsafe {
            let ([x1, x2], [c1, c2]) = (self.nodes.get(e).map(|n| *self.x.get(n)), *self.cells.get(e));
            let mu = 0.5 * (self.adt.get(c1) + self.adt.get(c2)) * EPS;
            let flux = flux([x1[0] - x2[0], x1[1] - x2[1]], self.q.get(c1), self.q.get(c2), mu);
            add(self.res.get_mut(c1), flux);
            add(self.res.get_mut(c2), flux.map(|f| -f));
        }
    }
}

#[inline(always)]
fn time_step(x: [&[f64; 2]; 4], q: &State) -> f64 {
    let ri = 1.0 / q[0];
    let (u, v) = (ri * q[1], ri * q[2]);
    let c = (GAM * GM1 * (ri * q[3] - 0.5 * (u * u + v * v))).sqrt();
    let mut sum = 0.0;
    for side in 0..4 {
        let (here, next) = (x[side], x[(side + 1) % 4]);
        let (dx, dy) = (next[0] - here[0], next[1] - here[1]);
        sum += (u * dy - v * dx).abs() + c * (dx * dx + dy * dy).sqrt();
    }
    sum / CFL
}

#[inline(always)]
fn pressure(ri: f64, q: &State) -> f64 {
    GM1 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]))
}

/// Flux through a side with `(dx, dy)`, from state `a` into state `b`.
#[inline(always)]
fn flux([dx, dy]: [f64; 2], a: &State, b: &State, mu: f64) -> State {
    let (ra, rb) = (1.0 / a[0], 1.0 / b[0]);
    let (pa, pb) = (pressure(ra, a), pressure(rb, b));
    let (va, vb) = (ra * (a[1] * dy - a[2] * dx), rb * (b[1] * dy - b[2] * dx));
    [
        0.5 * (va * a[0] + vb * b[0]) + mu * (a[0] - b[0]),
        0.5 * (va * a[1] + pa * dy + vb * b[1] + pb * dy) + mu * (a[1] - b[1]),
        0.5 * (va * a[2] - pa * dx + vb * b[2] - pb * dx) + mu * (a[2] - b[2]),
        0.5 * (va * (a[3] + pa) + vb * (b[3] + pb)) + mu * (a[3] - b[3]),
    ]
}

#[inline(always)]
fn add(to: &mut State, from: State) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Advances the cells of a piece, the first of which is number `first`.
fn advance(first: usize, q: &mut [State], qold: &[State], adt: &[f64], res: &mut [State]) -> Change {
    let mut change = Change::NONE;
    for (k, (((q, qold), adt), res)) in q.iter_mut().zip(qold).zip(adt).zip(res).enumerate() {
        let adti = 1.0 / adt;
        for n in 0..UNKNOWNS {
            let del = adti * res[n];
            q[n] = qold[n] - del;
            res[n] = 0.0;
            let square = del * del;
            change.sum += square;
            if square > change.max {
                (change.max, change.cell) = (square, (first + k) as u32);
            }
        }
    }
    change
}
