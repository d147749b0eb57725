//! A function without `#[op2::kernel]`.
use op2::prelude::*;

op2::sets! { Cells }

fn clear(a: &mut f64) {
    *a = 0.0;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, clear, cells, write(a))
}

fn main() {}
