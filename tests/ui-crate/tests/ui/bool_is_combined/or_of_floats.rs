//! Floats have no `|`.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn mark(a: &f64, m: &mut f64) {
    *m = *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, m: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, mark, cells, read(a), or(m))
}

fn main() {}
