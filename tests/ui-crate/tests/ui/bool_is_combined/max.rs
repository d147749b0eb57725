//! Flags have no maximum.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn mark(a: &f64, m: &mut [bool; 2]) {
    m[0] = *a > 0.0;
    m[1] = *a > 1.0;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, m: Global<[bool; 2]>) -> op2::Result<()> {
    op_par_loop!(op, mark, cells, read(a), gbl_max(m))
}

fn main() {}
