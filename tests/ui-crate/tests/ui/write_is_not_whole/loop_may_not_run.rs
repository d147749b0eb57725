//! A `while` may run no time at all.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn count(a: &f64, b: &mut f64) {
    let mut left = *a;
    while left > 1.0 {
        left -= 1.0;
        *b = left;
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, count, cells, read(a), write(b))
}

fn main() {}
