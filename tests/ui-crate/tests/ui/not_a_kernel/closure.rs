//! A closure has no name by which a loop could ask for it.
use op2::prelude::*;

op2::sets! { Cells }

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, |a: &mut f64| *a = 0.0, cells, write(a))
}

fn main() {}
