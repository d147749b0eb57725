//! Imports that give a kernel another name, where one of the two names is that of a macro of the standard library.
use op2::prelude::*;

op2::sets! { Nodes }

mod kernels {
    #[op2::kernel]
    pub fn write(x: &mut f64) {
        *x += 1.0;
    }

    #[op2::kernel]
    pub fn halve(x: &mut f64) {
        *x *= 0.5;
    }
}
use kernels::halve as line;
use kernels::write as record;

fn run(op: &mut Op2, nodes: Set<Nodes>, d: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, record, nodes, rw(d))?;
    op_par_loop!(op, line, nodes, rw(d))
}

fn main() {}
