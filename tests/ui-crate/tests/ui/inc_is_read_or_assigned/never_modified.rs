//! The kernel only reads what the loop adds to.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn nothing(a: &f64, b: &mut f64) {
    *b = *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, nothing, cells, inc(a), write(b))
}

fn main() {}
