//! The kernel takes all entries, the loop passes one.
use op2::prelude::*;

op2::sets! { Nodes, Cells }

#[op2::kernel]
fn mean(x: [&f64; 4], m: &mut f64) {
    *m = *x[0];
}

fn run(
    op: &mut Op2,
    cells: Set<Cells>,
    pcell: Map<Cells,
    Nodes,
    4>,
    x: Dat<Nodes,
    f64>,
    m: Dat<Cells,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, mean, cells, read(x, pcell[0]), write(m))
}

fn main() {}
