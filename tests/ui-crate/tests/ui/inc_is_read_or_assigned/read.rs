//! The kernel reads one component of what it adds to.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn spread(x: &[f64; 2], r: &mut [f64; 2]) {
    r[0] += x[0];
    r[1] += r[0] * x[1];
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
    [f64; 2]>,
) -> op2::Result<()> {
    op_par_loop!(op, spread, edges, read(x, pedge[0]), inc(r, pedge[1]))
}

fn main() {}
