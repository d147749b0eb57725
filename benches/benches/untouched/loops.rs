//! The programs: the apps, and loops of other codes that were written for this bench: the flux of MG-CFD, the sparse product of aero.

use airfoil::solver::Airfoil;
use hydra::solver::{self as hydra_flow, Flow};
use jac::{neighbours, step};
use op2::prelude::*;
use op2::sets;
use op2_benches::Outcome;
use op2_meshes::{plane, space};

/// Something with loops.
pub(crate) trait Program {
    fn op(&mut self) -> &mut Op2;
    /// Runs all loops, `iteration` times before this.
    fn iterate(&mut self, iteration: usize) -> Outcome;
}

sets! { Nodes, Edges, Cells }

/// The ratio of specific heats less one.
const GAMMA_1: f64 = 0.4;
/// Of the artificial viscosity.
const SMOOTHING: f64 = 0.2;

/// Pressure, speed and speed of sound of a state: density, momentum, energy.
#[op2::device_fn]
fn acoustics(q: &[f64; 5]) -> (f64, f64, f64) {
    let square = (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / (q[0] * q[0]);
    let p = GAMMA_1 * (q[4] - 0.5 * q[0] * square);
    (p, square.sqrt(), ((GAMMA_1 + 1.0) * p / q[0]).sqrt())
}

/// The flux of the Euler equations across the face of an edge, with a viscosity of the spectral radius: as many numbers and about
/// as many operations as `compute_flux_edge` of MG-CFD (A. M. B. Owenson et al., Concurrency and Computation 32, 2020).
#[op2::kernel]
fn flux(weight: &[f64; 3], a: &[f64; 5], b: &[f64; 5], sum_a: &mut [f64; 5], sum_b: &mut [f64; 5]) {
    let (p_a, speed_a, sound_a) = acoustics(a);
    let (p_b, speed_b, sound_b) = acoustics(b);
    let area = (weight[0] * weight[0] + weight[1] * weight[1] + weight[2] * weight[2]).sqrt();
    let viscosity = 0.5 * SMOOTHING * area * (speed_a + speed_b + sound_a + sound_b);
    let through_a = (weight[0] * a[1] + weight[1] * a[2] + weight[2] * a[3]) / a[0];
    let through_b = (weight[0] * b[1] + weight[1] * b[2] + weight[2] * b[3]) / b[0];
    let mut f = [0.0; 5];
    for i in 0..5 {
        f[i] = 0.5 * (through_a * a[i] + through_b * b[i]) + viscosity * (a[i] - b[i]);
    }
    for i in 0..3 {
        f[i + 1] += 0.5 * (p_a + p_b) * weight[i];
    }
    f[4] += 0.5 * (through_a * p_a + through_b * p_b);
    for i in 0..5 {
        sum_a[i] -= f[i];
        sum_b[i] += f[i];
    }
}

/// The flux over the edges of a solid, and the update of its nodes.
pub(crate) struct Flux {
    op: Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, [f64; 3]>,
    state: Dat<Nodes, [f64; 5]>,
    sum: Dat<Nodes, [f64; 5]>,
}

impl Flux {
    pub(crate) fn new(mesh: &space::Hexahedra, config: Config) -> Outcome<Flux> {
        let mut op = Op2::with(config)?;
        let edges = op.decl_set("edges", mesh.edge_nodes.len())?;
        let nodes = op.decl_set("nodes", mesh.x.len())?;
        let state: Vec<[f64; 5]> =
            mesh.x.iter().map(|x| [1.0 + 0.1 * x[0], 0.3, 0.1 * x[1], 0.05 * x[2], 2.5]).collect();
        Ok(Flux {
            ends: op.decl_map("ends", edges, nodes, &mesh.edge_nodes)?,
            weight: op.decl_dat_filled("weight", edges, [1e-4, 2e-4, 5e-5])?,
            state: op.decl_dat("state", nodes, &state)?,
            sum: op.decl_dat_filled("sum", nodes, [0.0; 5])?,
            op,
            edges,
        })
    }
}

impl Program for Flux {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        let Flux { edges, ends, weight, state, sum, .. } = *self;
        let op = &mut self.op;
        op_par_loop!(
            op,
            flux,
            edges,
            read(weight),
            read(state, ends[0]),
            read(state, ends[1]),
            inc(sum, ends[0]),
            inc(sum, ends[1])
        )?;
        Ok(())
    }
}

/// The product of an element's matrix with the values at its corners: the loop in which aero spends most of its time, with a direct
/// row of 16 numbers and two operations for each.
#[op2::kernel]
fn spmv(matrix: &[f64; 16], p: [&f64; 4], v: [&mut f64; 4]) {
    for i in 0..4 {
        for j in 0..4 {
            *v[i] += matrix[4 * i + j] * *p[j];
        }
    }
}

/// The product over the cells of a plane.
pub(crate) struct Product {
    op: Op2,
    cells: Set<Cells>,
    corners: Map<Cells, Nodes, 4>,
    matrix: Dat<Cells, [f64; 16]>,
    p: Dat<Nodes, f64>,
    v: Dat<Nodes, f64>,
}

impl Product {
    pub(crate) fn new(mesh: &plane::Quads, config: Config) -> Outcome<Product> {
        let mut op = Op2::with(config)?;
        let cells = op.decl_set("cells", mesh.cell_nodes.len())?;
        let nodes = op.decl_set("nodes", mesh.x.len())?;
        Ok(Product {
            corners: op.decl_map("corners", cells, nodes, &mesh.cell_nodes)?,
            matrix: op.decl_dat_filled("matrix", cells, std::array::from_fn(|i| 0.01 * i as f64))?,
            p: op.decl_dat_filled("p", nodes, 1e-3)?,
            v: op.decl_dat_filled("v", nodes, 0.0)?,
            op,
            cells,
        })
    }
}

impl Program for Product {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        let Product { cells, corners, matrix, p, v, .. } = *self;
        op_par_loop!(self.op, spmv, cells, read(matrix), read(p, corners[..]), inc(v, corners[..]))?;
        Ok(())
    }
}

/// jac's two loops over the edges and the nodes of a plane.
pub(crate) struct Sweep {
    op: Op2,
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    ends: Map<Edges, Nodes, 2>,
    f: Dat<Nodes, f64>,
    u: Dat<Nodes, f64>,
    sum: Dat<Nodes, f64>,
    change: Global<f64>,
    squares: Global<f64>,
}

impl Sweep {
    pub(crate) fn new(mesh: &plane::Quads, config: Config) -> Outcome<Sweep> {
        let mut op = Op2::with(config)?;
        let edges = op.decl_set("edges", mesh.edge_nodes.len())?;
        let nodes = op.decl_set("nodes", mesh.x.len())?;
        Ok(Sweep {
            ends: op.decl_map("ends", edges, nodes, &mesh.edge_nodes)?,
            f: op.decl_dat_filled("f", nodes, 1e-3)?,
            u: op.decl_dat_filled("u", nodes, 0.5)?,
            sum: op.decl_dat_filled("sum", nodes, 0.0)?,
            change: op.decl_global("change", 0.0),
            squares: op.decl_global("squares", 0.0),
            op,
            edges,
            nodes,
        })
    }
}

impl Program for Sweep {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        let Sweep { edges, nodes, ends, f, u, sum, change, squares, .. } = *self;
        let op = &mut self.op;
        op_par_loop!(op, neighbours, edges, read(u, ends[0]), read(u, ends[1]), inc(sum, ends[0]), inc(sum, ends[1]))?;
        op_par_loop!(op, step, nodes, read(f), rw(sum), rw(u), gbl_max(change), gbl_inc(squares))?;
        Ok(())
    }
}

impl Program for Airfoil<f64> {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn iterate(&mut self, iteration: usize) -> Outcome {
        Airfoil::iterate(self, iteration)?;
        Ok(())
    }
}

/// hydra's heavy loops, on the data at the start of a step.
pub(crate) struct Heavy(Flow<f64>);

impl Heavy {
    pub(crate) fn new(mesh: &hydra::mesh::Mesh, settings: &hydra_flow::Settings) -> Outcome<Heavy> {
        let mut flow = Flow::new(mesh, settings)?;
        flow.prepare()?;
        flow.fluxes(1.0)?;
        Ok(Heavy(flow))
    }
}

impl Program for Heavy {
    fn op(&mut self) -> &mut Op2 {
        &mut self.0.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        for run in [Flow::accu, Flow::edgecon, Flow::vflux, Flow::iflux] {
            run(&mut self.0)?;
        }
        Ok(())
    }
}
