//! `+=` reads what is not there yet.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn shift(a: &f64, b: &mut [f64; 2]) {
    b[0] = *a;
    b[1] += *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, [f64; 2]>) -> op2::Result<()> {
    op_par_loop!(op, shift, cells, read(a), write(b))
}

fn main() {}
