//! The same in `idx`.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn number(node: i32, a: &mut i32) {
    *a = node;
}

fn run(op: &mut Op2, edges: Set<Edges>, pedge: Map<Edges, Nodes, 2>, a: Dat<Edges, i32>) -> op2::Result<()> {
    op_par_loop!(op, number, edges, idx(pedge[5]), write(a))
}

fn main() {}
