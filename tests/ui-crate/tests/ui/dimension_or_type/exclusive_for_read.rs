//! The kernel takes `&mut`, the loop reads.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn bump(b: &mut f64) {
    *b += 1.0;
}

fn run(op: &mut Op2, cells: Set<Cells>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, bump, cells, read(b))
}

fn main() {}
