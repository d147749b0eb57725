//! Arrays of arrays of another shape.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn clear(m: &mut [[f64; 3]; 2]) {
    *m = [[0.0; 3]; 2];
}

fn run(op: &mut Op2, cells: Set<Cells>, m: Dat<Cells, [[f64; 2]; 3]>) -> op2::Result<()> {
    op_par_loop!(op, clear, cells, write(m))
}

fn main() {}
