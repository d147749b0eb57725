//! The device function that the kernel calls assigns.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::device_fn]
fn clamp(v: &mut f64) {
    *v = v.max(0.0);
}

#[op2::kernel]
fn limit(a: &f64, b: &mut f64) {
    *b += *a;
    clamp(b);
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, limit, cells, read(a), read(b))
}

fn main() {}
