//! A global that the loop reads while it changes.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn scale(n: &f64, s: &mut f64) {
    *s += *n;
}

fn run(op: &mut Op2, cells: Set<Cells>, s: Global<f64>) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, gbl_read(s), gbl_inc(s))
}

fn main() {}
