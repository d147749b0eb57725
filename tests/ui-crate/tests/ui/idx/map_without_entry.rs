//! `idx` of a map without an entry.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn number(i: i32, a: &mut i32) {
    *a = i;
}

fn run(op: &mut Op2, edges: Set<Edges>, pedge: Map<Edges, Nodes, 2>, a: Dat<Edges, i32>) -> op2::Result<()> {
    op_par_loop!(op, number, edges, idx(pedge), write(a))
}

fn main() {}
