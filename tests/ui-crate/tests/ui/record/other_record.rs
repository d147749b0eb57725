//! A dat of another record, though its scalars are the same.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::record]
struct Polar {
    r: f64,
    phi: f64,
}

#[op2::record]
struct Cartesian {
    x: f64,
    y: f64,
}

#[op2::kernel]
fn turn(at: &mut Polar) {
    at.phi += 1.0;
}

fn run(op: &mut Op2, cells: Set<Cells>, at: Dat<Cells, Cartesian>) -> op2::Result<()> {
    op_par_loop!(op, turn, cells, rw(at))
}

fn main() {}
