//! The global holds integers, the kernel takes floats.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn scale(factor: &f64, b: &mut f64) {
    *b *= *factor;
}

fn run(op: &mut Op2, cells: Set<Cells>, factor: Global<i32>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, gbl_read(factor), rw(b))
}

fn main() {}
