//! The kernel takes maxima, the loop declares `min`.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn upper(a: &f64, b: &mut f64) {
    *b = b.max(*a);
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, upper, cells, read(a), min(b))
}

fn main() {}
