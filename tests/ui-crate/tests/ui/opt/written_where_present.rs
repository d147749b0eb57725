//! A `write` is whole wherever the argument is present.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn keep(a: &f64, b: Option<&mut f64>) {
    if let Some(b) = b {
        if *a > 0.0 {
            *b = *a;
        }
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>, on: bool) -> op2::Result<()> {
    op_par_loop!(op, keep, cells, read(a), opt(on, write(b)))
}

fn main() {}
