//! The device function that the kernel calls assigns.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

#[op2::device_fn]
fn put(target: &mut f64, value: f64) {
    *target = value;
}

#[op2::kernel]
fn spread(x: &[f64; 2], r: &mut f64) {
    put(r, x[0]);
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    pedge: Map<Edges,
    Nodes,
    2>,
    x: Dat<Nodes,
    [f64; 2]>,
    r: Dat<Nodes,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, spread, edges, read(x, pedge[0]), inc(r, pedge[0]))
}

fn main() {}
