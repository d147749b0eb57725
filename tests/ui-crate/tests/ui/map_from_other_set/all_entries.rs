//! The same with all entries.
use op2::prelude::*;

op2::sets! { Nodes, Edges, Cells }

#[op2::kernel]
fn mean(x: [&f64; 4], m: &mut f64) {
    *m = *x[0];
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    pcell: Map<Cells,
    Nodes,
    4>,
    x: Dat<Nodes,
    f64>,
    m: Dat<Edges,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, mean, edges, read(x, pcell[..]), write(m))
}

fn main() {}
