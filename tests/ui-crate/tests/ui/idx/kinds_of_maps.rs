//! The indices of all entries of a map of another arity, of a map whose entries may be missing, of rows of any length, of another set.
use op2::prelude::*;
use op2::{Idx, OptMap, Rows};

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn both(i: [u32; 2], a: &mut u32) {
    *a = i[0] + i[1];
}

#[op2::kernel]
fn either(i: [Option<u32>; 2], a: &mut u32) {
    *a = i[0].unwrap_or(0) + i[1].unwrap_or(0);
}

#[op2::kernel]
fn closed(i: [Idx<Edges>; 2], a: &mut u32) {
    *a = u32::from(i[0] == i[1]);
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    pedge: Map<Edges, Nodes, 2>,
    three: Map<Edges, Nodes, 3>,
    sides: OptMap<Edges, Nodes, 2>,
    ring: Rows<Edges, Nodes>,
    a: Dat<Edges, u32>,
) -> op2::Result<()> {
    op_par_loop!(op, both, edges, idx(three[..]), write(a))?;
    op_par_loop!(op, both, edges, idx(sides[..]), write(a))?;
    op_par_loop!(op, both, edges, idx(ring[..]), write(a))?;
    op_par_loop!(op, either, edges, idx(pedge[..]), write(a))?;
    op_par_loop!(op, closed, edges, idx(pedge[..]), write(a))
}

fn main() {}
