//! An argument is missing.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn flux(x1: &[f64; 2], x2: &[f64; 2], r1: &mut f64, r2: &mut f64) {
    let dx = x1[0] - x2[0];
    *r1 += dx;
    *r2 -= dx;
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    pedge: Map<Edges,
    Nodes,
    2>,
    x: Dat<Nodes,
    [f64; 2]>,
    r: Dat<Nodes,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, flux, edges, read(x, pedge[0]), read(x, pedge[1]), inc(r, pedge[0]))
}

fn main() {}
