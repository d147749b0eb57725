//! A loop over a subset of the edges with a dat on cells.
use op2::prelude::*;

op2::sets! { Edges, Cells }

#[op2::kernel]
fn clear(a: &mut f64) {
    *a = 0.0;
}

fn run(op: &mut Op2, boundary: Subset<Edges>, a: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, clear, boundary, write(a))
}

fn main() {}
