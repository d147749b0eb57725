//! A flag that is combined is not read.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn mark(a: &f64, m: &mut bool, n: &mut u32) {
    *m |= *a > 0.0;
    if *m {
        *n += 1;
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, m: Dat<Cells, bool>, n: Global<u32>) -> op2::Result<()> {
    op_par_loop!(op, mark, cells, read(a), or(m), gbl_inc(n))
}

fn main() {}
