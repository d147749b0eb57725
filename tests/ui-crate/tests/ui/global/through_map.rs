//! A global is not reached through a map.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn sum(a: &f64, total: &mut f64) {
    *total += *a;
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    pedge: Map<Edges,
    Nodes,
    2>,
    a: Dat<Edges,
    f64>,
    total: Global<f64>,
) -> op2::Result<()> {
    op_par_loop!(op, sum, edges, read(a), gbl_inc(total, pedge[0]))
}

fn main() {}
