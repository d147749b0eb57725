//! A function inside of the calling one takes the name of a kernel.
use op2::prelude::*;

op2::sets! { pub Nodes }

#[op2::kernel]
fn half(x: &mut f64) {
    *x *= 0.5;
}

fn run(op: &mut Op2, nodes: Set<Nodes>, d: Dat<Nodes, f64>) -> op2::Result<()> {
    fn half(x: &mut f64) {
        *x *= 2.0;
    }
    half(&mut 1.0);
    op_par_loop!(op, half, nodes, rw(d))
}

fn main() {}
