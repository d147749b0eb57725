//! `opt` inside `opt`.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn scale(a: Option<&f64>, b: &mut f64) {
    if let Some(a) = a {
        *b *= *a;
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>, on: bool) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, opt(on, opt(on, read(a))), rw(b))
}

fn main() {}
