//! A generic kernel takes floats only.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn copy<F: Float>(a: &F, b: &mut F) {
    *b = *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, i32>, b: Dat<Cells, i32>) -> op2::Result<()> {
    op_par_loop!(op, copy, cells, read(a), write(b))
}

fn main() {}
