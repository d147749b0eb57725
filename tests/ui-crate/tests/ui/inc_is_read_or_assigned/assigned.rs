//! The kernel assigns what the loop only adds to.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn spread(x: &[f64; 2], r: &mut f64) {
    *r = x[0];
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
    op_par_loop!(op, spread, edges, read(x, pedge[0]), inc(r, pedge[0]))
}

fn main() {}
