//! The kernel takes an index, the loop passes a dat.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn number(i: i32, a: &mut i32) {
    *a = i;
}

fn run(op: &mut Op2, cells: Set<Cells>, n: Dat<Cells, i32>, a: Dat<Cells, i32>) -> op2::Result<()> {
    op_par_loop!(op, number, cells, read(n), write(a))
}

fn main() {}
