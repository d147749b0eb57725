//! The kernel takes an `Option`, the loop passes always.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn scale(a: Option<&f64>, b: &mut f64) {
    if let Some(a) = a {
        *b *= *a;
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, read(a), rw(b))
}

fn main() {}
