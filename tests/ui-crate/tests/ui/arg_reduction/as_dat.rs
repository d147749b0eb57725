//! A dat has no payload.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn worst(a: &f64, cell: u32, worst: &mut ArgMax<f64, u32>) {
    worst.update(*a, cell);
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, w: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, worst, cells, read(a), idx(), max(w))
}

fn main() {}
