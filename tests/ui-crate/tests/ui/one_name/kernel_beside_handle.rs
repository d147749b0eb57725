//! Handles take the name of the kernel that they are for.
use op2::prelude::*;

op2::sets! { pub Nodes }

#[op2::kernel]
fn update(x: &mut f64) {
    *x *= 0.5;
}

struct Update {
    x: Dat<Nodes, f64>,
}

fn by_a_dat(op: &mut Op2, nodes: Set<Nodes>, update: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, update, nodes, rw(update))
}

fn by_a_struct(op: &mut Op2, nodes: Set<Nodes>, update: &Update) -> op2::Result<()> {
    op_par_loop!(op, update, nodes, rw(update.x))
}

fn main() {}
