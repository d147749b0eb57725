//! A global in two reductions.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn both(s: &mut f64, t: &mut f64) {
    *s += 1.0;
    *t = t.max(1.0);
}

fn run(op: &mut Op2, cells: Set<Cells>, s: Global<f64>) -> op2::Result<()> {
    op_par_loop!(op, both, cells, gbl_inc(s), gbl_max(s))
}

fn main() {}
