//! The same for `rw`.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn sum(a: &f64, total: &mut f64) {
    *total += *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, total: Global<f64>) -> op2::Result<()> {
    op_par_loop!(op, sum, cells, read(a), gbl_rw(total))
}

fn main() {}
