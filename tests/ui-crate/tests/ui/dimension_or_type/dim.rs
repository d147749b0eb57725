//! The kernel takes four components, the dat has two.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn clear(q: &mut [f64; 4]) {
    *q = [0.0; 4];
}

fn run(op: &mut Op2, cells: Set<Cells>, q: Dat<Cells, [f64; 2]>) -> op2::Result<()> {
    op_par_loop!(op, clear, cells, write(q))
}

fn main() {}
