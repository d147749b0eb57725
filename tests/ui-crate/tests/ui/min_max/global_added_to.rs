//! The kernel adds to a global that the loop minimises.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn sum(a: &f64, least: &mut f64) {
    *least += *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, least: Global<f64>) -> op2::Result<()> {
    op_par_loop!(op, sum, cells, read(a), gbl_min(least))
}

fn main() {}
