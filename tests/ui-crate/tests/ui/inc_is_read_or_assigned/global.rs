//! A global that is added to is read as well.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn count(a: &f64, total: &mut f64) {
    if *total < 10.0 {
        *total += *a;
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, total: Global<f64>) -> op2::Result<()> {
    op_par_loop!(op, count, cells, read(a), gbl_inc(total))
}

fn main() {}
