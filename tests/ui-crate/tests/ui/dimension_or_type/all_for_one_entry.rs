//! The kernel takes one value, the loop passes all entries.
use op2::prelude::*;

op2::sets! { Nodes, Cells }

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

fn run(
    op: &mut Op2,
    cells: Set<Cells>,
    pcell: Map<Cells,
    Nodes,
    4>,
    a: Dat<Nodes,
    f64>,
    b: Dat<Cells,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, read(a, pcell[..]), write(b))
}

fn main() {}
