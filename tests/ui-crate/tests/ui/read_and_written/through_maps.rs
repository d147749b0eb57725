//! One end is read while the other is added to.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn pull(a: &f64, b: &mut f64) {
    *b += *a;
}

fn run(op: &mut Op2, edges: Set<Edges>, pedge: Map<Edges, Nodes, 2>, u: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, pull, edges, read(u, pedge[0]), inc(u, pedge[1]))
}

fn main() {}
