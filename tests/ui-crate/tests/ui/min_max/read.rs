//! A minimum is used before the loop has found it.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn lower(a: &f64, b: &mut f64, least: &mut f64) {
    *least = least.min(*a);
    *b = *least;
}

fn run(
    op: &mut Op2,
    cells: Set<Cells>,
    a: Dat<Cells,
    f64>,
    b: Dat<Cells,
    f64>,
    least: Global<f64>,
) -> op2::Result<()> {
    op_par_loop!(op, lower, cells, read(a), write(b), gbl_min(least))
}

fn main() {}
