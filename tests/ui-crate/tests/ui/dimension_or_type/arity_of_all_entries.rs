//! The kernel takes three entries, the map has four.
use op2::prelude::*;

op2::sets! { Nodes, Cells }

#[op2::kernel]
fn mean(x: [&f64; 3], m: &mut f64) {
    *m = (*x[0] + *x[1] + *x[2]) / 3.0;
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
    op_par_loop!(op, mean, cells, read(x, pcell[..]), write(m))
}

fn main() {}
