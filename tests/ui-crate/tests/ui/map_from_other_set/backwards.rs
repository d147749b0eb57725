//! The map is used the wrong way round.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

fn run(
    op: &mut Op2,
    nodes: Set<Nodes>,
    pedge: Map<Edges,
    Nodes,
    2>,
    a: Dat<Edges,
    f64>,
    b: Dat<Nodes,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, scale, nodes, read(a, pedge[0]), write(b))
}

fn main() {}
