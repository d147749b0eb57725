//! The index of an element of another map.
use op2::prelude::*;

op2::sets! { Nodes, Edges, Cells }

#[op2::kernel]
fn number(node: i32, a: &mut i32) {
    *a = node;
}

fn run(op: &mut Op2, edges: Set<Edges>, pcell: Map<Cells, Nodes, 4>, a: Dat<Edges, i32>) -> op2::Result<()> {
    op_par_loop!(op, number, edges, idx(pcell[0]), write(a))
}

fn main() {}
