//! The indices of all entries go to arrays, and one index to no array.
use op2::prelude::*;
use op2::{Idx, Row};

op2::sets! { Nodes, Edges }

#[op2::kernel]
fn number(i: i32, a: &mut i32) {
    *a = i;
}

#[op2::kernel]
fn both(i: [i32; 2], a: &mut i32) {
    *a = i[0] + i[1];
}

#[op2::kernel]
fn values(i: [&i32; 2], a: &mut i32) {
    *a = *i[0] + *i[1];
}

#[op2::kernel]
fn ring(i: &Row<Idx<Nodes>>, a: &mut i32) {
    *a = i.len() as i32;
}

#[op2::kernel]
fn small(i: [u8; 2], a: &mut i32) {
    *a = i32::from(i[0]);
}

fn run(op: &mut Op2, edges: Set<Edges>, pedge: Map<Edges, Nodes, 2>, a: Dat<Edges, i32>) -> op2::Result<()> {
    op_par_loop!(op, number, edges, idx(pedge[..]), write(a))?;
    op_par_loop!(op, both, edges, idx(pedge[0]), write(a))?;
    op_par_loop!(op, both, edges, idx(), write(a))?;
    op_par_loop!(op, both, edges, read(a), write(a))?;
    op_par_loop!(op, values, edges, idx(pedge[..]), write(a))?;
    op_par_loop!(op, ring, edges, idx(pedge[..]), write(a))?;
    op_par_loop!(op, small, edges, idx(pedge[..]), write(a))?;
    op_par_loop!(op, both, edges, idx(all), write(a))?;
    op_par_loop!(op, both, edges, opt(true, idx(pedge[..])), write(a))
}

fn main() {}
