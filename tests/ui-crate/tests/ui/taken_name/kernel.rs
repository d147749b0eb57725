//! A kernel with the name of a macro of the standard library, and a loop over it.
use op2::prelude::*;

op2::sets! { pub Nodes }

#[op2::kernel]
fn vec(x: &mut f64) {
    *x += 1.0;
}

fn run(op: &mut Op2, nodes: Set<Nodes>, d: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, vec, nodes, rw(d))
}

fn main() {
    let _ = vec![1, 2, 3];
}
