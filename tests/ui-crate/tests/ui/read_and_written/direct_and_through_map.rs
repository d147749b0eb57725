//! The element itself and its neighbours.
use op2::prelude::*;

op2::sets! { Nodes }

#[op2::kernel]
fn pull(a: &f64, b: &mut f64) {
    *b = *a;
}

fn run(op: &mut Op2, nodes: Set<Nodes>, next: Map<Nodes, Nodes, 1>, u: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, pull, nodes, read(u, next[0]), write(u))
}

fn main() {}
