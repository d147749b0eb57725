//! Functions without attributes that are named as macros of the standard library.
use op2::prelude::*;

op2::sets! { Nodes }

fn line(x: f64) -> f64 {
    2.0 * x
}

#[op2::kernel]
fn double(x: &mut f64) {
    *x = line(*x);
}

fn write(x: &mut f64) {
    *x += 1.0;
}

fn run(op: &mut Op2, nodes: Set<Nodes>, d: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, write, nodes, rw(d))
}

fn main() {}
