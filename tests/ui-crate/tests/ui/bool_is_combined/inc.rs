//! Flags are not added.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn mark(a: &f64, m: &mut bool) {
    *m = *a > 0.0;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, m: Dat<Cells, bool>) -> op2::Result<()> {
    op_par_loop!(op, mark, cells, read(a), inc(m))
}

fn main() {}
