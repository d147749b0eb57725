//! Two levels of one problem: sets of the same kind, a map between them, kernels that serve both.
//!
//! Solves -u'' = f on a line with u = 0 at both ends. Sweeps on the fine level remove what changes from node to node; the rest
//! goes to the coarse level, where a node stands for two, and comes back as a correction.

use op2::prelude::*;

op2::sets! { Nodes, Edges }

/// Each end of an edge sees the value of the other end.
#[op2::kernel]
fn neighbours(u: [&f64; 2], sum: [&mut f64; 2]) {
    *sum[0] += *u[1];
    *sum[1] += *u[0];
}

/// A damped step of Jacobi's method for 2 u - sum = f.
#[op2::kernel]
fn relax(f: &f64, sum: &mut f64, u: &mut f64) {
    *u += 0.35 * (*f + *sum - 2.0 * *u);
    *sum = 0.0;
}

/// Hands the residual of a node to the coarse node that stands for it. Keeps the greatest one.
#[op2::kernel]
fn restrict(f: &f64, u: &f64, sum: &mut f64, coarse: &mut f64, worst: &mut f64) {
    let residual = *f + *sum - 2.0 * *u;
    *coarse += residual;
    *worst = worst.max(residual.abs());
    *sum = 0.0;
}

/// Takes the correction from the coarse level. Constants over two nodes are too stiff by a factor of two.
#[op2::kernel]
fn prolong(coarse: &f64, u: &mut f64) {
    *u += 2.0 * *coarse;
}

/// Begins anew on the coarse level.
#[op2::kernel]
fn clear(f: &mut f64, u: &mut f64) {
    *f = 0.0;
    *u = 0.0;
}

struct Level {
    nodes: Set<Nodes>,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    f: Dat<Nodes, f64>,
    u: Dat<Nodes, f64>,
    sum: Dat<Nodes, f64>,
}

impl Level {
    fn new(op: &mut Op2, nodes: u32, f: f64) -> op2::Result<Self> {
        let line: Vec<[u32; 2]> = (1..nodes).map(|i| [i - 1, i]).collect();
        let nodes = op.decl_set("nodes", nodes as usize)?;
        let edges = op.decl_set("edges", line.len())?;
        let ends = op.decl_map("ends", edges, nodes, &line)?;
        let f = op.decl_dat_filled("f", nodes, f)?;
        let u = op.decl_dat_filled("u", nodes, 0.0)?;
        let sum = op.decl_dat_filled("sum", nodes, 0.0)?;
        Ok(Level { nodes, edges, ends, f, u, sum })
    }

    fn smooth(&self, op: &mut Op2, sweeps: usize) -> op2::Result<()> {
        let Level { nodes, edges, ends, f, u, sum } = *self;
        for _ in 0..sweeps {
            op_par_loop!(op, neighbours, edges, read(u, ends[..]), inc(sum, ends[..]))?;
            op_par_loop!(op, relax, nodes, read(f), rw(sum), rw(u))?;
        }
        Ok(())
    }
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let n = 64;
    let fine = Level::new(&mut op, n, 1e-3)?;
    let coarse = Level::new(&mut op, n / 2, 0.0)?;
    let parents: Vec<[u32; 1]> = (0..n).map(|i| [i / 2]).collect();
    let parent = op.decl_map("parent", fine.nodes, coarse.nodes, &parents)?;
    let worst = op.decl_global("worst", f64::INFINITY);

    let mut cycles = 0;
    while op.get(worst)? > 1e-9 {
        fine.smooth(&mut op, 3)?;
        op.set(worst, 0.0)?;
        op_par_loop!(op, clear, coarse.nodes, write(coarse.f), write(coarse.u))?;
        op_par_loop!(op, neighbours, fine.edges, read(fine.u, fine.ends[..]), inc(fine.sum, fine.ends[..]))?;
        op_par_loop!(
            op,
            restrict,
            fine.nodes,
            read(fine.f),
            read(fine.u),
            rw(fine.sum),
            inc(coarse.f, parent[0]),
            gbl_max(worst)
        )?;
        coarse.smooth(&mut op, 1000)?;
        op_par_loop!(op, prolong, fine.nodes, read(coarse.u, parent[0]), rw(fine.u))?;
        fine.smooth(&mut op, 3)?;
        cycles += 1;
    }
    let middle = op.fetch(fine.u)?[n as usize / 2];
    println!("{cycles} cycles, {middle:.6} in the middle");
    // The exact solution at node i is f (i + 1) (n - i) / 2.
    assert!((middle - 1e-3 * 33.0 * 32.0 / 2.0).abs() < 1e-5);
    Ok(())
}
