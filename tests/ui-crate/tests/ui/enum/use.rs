//! Variants that an enum lacks, and operations that enums lack.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::record]
enum Kind {
    Wall,
    Far,
}

#[op2::device_fn]
fn misspelt(kind: Kind) -> bool {
    kind == Kind::Wal
}

#[op2::device_fn]
fn ordered(a: Kind, b: Kind) -> bool {
    a < b
}

#[op2::device_fn]
fn number(a: Kind) -> i32 {
    a + 1
}

#[op2::kernel]
fn keep(kind: &mut Kind) {
    *kind = Kind::Far;
}

#[op2::kernel]
fn nothing(kind: &mut Kind) {}

fn run(op: &mut Op2, cells: Set<Cells>, kind: Dat<Cells, Kind>) -> op2::Result<()> {
    op_par_loop!(op, nothing, cells, max(kind))?;
    op_par_loop!(op, keep, cells, write(kind))
}

fn main() {}
