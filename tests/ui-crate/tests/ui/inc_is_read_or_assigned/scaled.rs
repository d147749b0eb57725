//! `*=` is no increment.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn halve(r: &mut f64) {
    *r *= 0.5;
}

fn run(op: &mut Op2, cells: Set<Cells>, r: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, halve, cells, inc(r))
}

fn main() {}
