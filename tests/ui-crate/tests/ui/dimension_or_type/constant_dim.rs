//! The dimension of the kernel is a constant.
use op2::prelude::*;

op2::sets! { Cells }

const DIM: usize = 5;

#[op2::kernel]
fn clear(q: &mut [f64; DIM]) {
    *q = [0.0; DIM];
}

fn run(op: &mut Op2, cells: Set<Cells>, q: Dat<Cells, [f64; 4]>) -> op2::Result<()> {
    op_par_loop!(op, clear, cells, write(q))
}

fn main() {}
