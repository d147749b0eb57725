//! Two arguments without a comma.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, read(a) write(b))
}

fn main() {}
