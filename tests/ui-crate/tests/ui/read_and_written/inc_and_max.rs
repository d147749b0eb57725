//! Two ways of combining.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn mix(a: &mut f64, b: &mut f64) {
    *a += 1.0;
    *b = b.max(2.0);
}

fn run(op: &mut Op2, edges: Set<Edges>, pedge: Map<Edges, Nodes, 2>, u: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, mix, edges, inc(u, pedge[0]), max(u, pedge[1]))
}

fn main() {}
