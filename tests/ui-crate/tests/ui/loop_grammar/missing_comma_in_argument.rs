//! A dat and its map without a comma.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    pedge: Map<Edges,
    Nodes,
    2>,
    a: Dat<Nodes,
    f64>,
    b: Dat<Edges,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, scale, edges, read(a pedge[0]), write(b))
}

fn main() {}
