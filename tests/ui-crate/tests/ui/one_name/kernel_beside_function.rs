//! A glob import brings a kernel, and the module has a function of its name.
use op2::prelude::*;

op2::sets! { pub Nodes }

mod kernels {
    #[op2::kernel]
    pub fn half(x: &mut f64) {
        *x *= 0.5;
    }
}
use kernels::*;

fn half(x: &mut f64) {
    *x *= 2.0;
}

fn run(op: &mut Op2, nodes: Set<Nodes>, d: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, half, nodes, rw(d))
}

fn main() {
    half(&mut 1.0);
}
