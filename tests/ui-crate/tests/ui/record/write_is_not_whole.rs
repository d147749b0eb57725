//! `write` of a record whose field is left out.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::record]
struct State {
    rho: f64,
    u: [f64; 3],
}

#[op2::kernel]
fn start(state: &mut State) {
    state.rho = 1.0;
    state.u[0] = 0.0;
    state.u[2] = 0.0;
}

fn run(op: &mut Op2, cells: Set<Cells>, state: Dat<Cells, State>) -> op2::Result<()> {
    op_par_loop!(op, start, cells, write(state))
}

fn main() {}
