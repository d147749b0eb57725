//! The same value by `&` and by `&mut`.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn pull(a: &f64, b: &mut f64) {
    *b = *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, u: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, pull, cells, read(u), write(u))
}

fn main() {}
