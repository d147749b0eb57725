//! A faulty device function: its kernel and the loop stay silent.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::device_fn]
fn pick(code: i32) -> f64 {
    match code {
        n @ 0..=3 => n as f64,
        _ => 2.0,
    }
}

#[op2::kernel]
fn fill(code: &i32, b: &mut f64) {
    *b = pick(*code);
}

fn run(op: &mut Op2, cells: Set<Cells>, code: Dat<Cells, i32>, b: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, fill, cells, read(code), write(b))
}

fn main() {}
