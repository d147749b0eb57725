//! Rows of indices: which elements a row has, and what new elements get.

use op2::{Dat, Idx, Map, Op2, OptMap, Row, Rows, Set, op_par_loop};

op2::sets! { Edges, Cells, Nodes }

#[op2::kernel]
fn first(kids: &Row<Idx<Cells>>, one: &mut Option<Idx<Cells>>) {
    *one = None;
    if kids.len() > 0 {
        *one = Some(kids[0]);
    }
}

#[op2::kernel]
fn maybe(kids: &Row<Option<Idx<Cells>>>, one: &mut Option<Idx<Cells>>) {
    *one = kids[0];
}

#[op2::kernel]
fn numbers(kids: &Row<u32>, one: &mut u32) {
    *one = kids[0];
}

#[op2::kernel]
fn perhaps(kids: Option<&Row<Idx<Cells>>>, n: &mut u32) {
    *n = if let Some(kids) = kids { kids.len() as u32 } else { 0 };
}

#[op2::kernel]
fn replace(kids: &mut Row<Idx<Cells>>, one: Idx<Cells>) {
    kids[0] = one;
}

#[op2::kernel]
fn refine(x: &f64, new: &mut Row<f64>) {
    for k in 0..new.len() {
        new[k] = *x;
    }
}

#[op2::kernel]
fn both(x: [&f64; 2], new: [&mut f64; 2]) {
    *new[0] = *x[1];
    *new[1] = *x[0];
}

fn loops(
    op: &mut Op2,
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    kids: Rows<Edges, Cells>,
    others: Rows<Edges, Nodes>,
    map: Map<Edges, Cells, 2>,
    sides: OptMap<Edges, Cells, 2>,
    one: OptMap<Edges, Cells, 1>,
    cell: Map<Edges, Cells, 1>,
    own: Dat<Edges, f64>,
    n: Dat<Edges, u32>,
    q: Dat<Cells, f64>,
    count: Dat<Edges, u32>,
) -> op2::Result<()> {
    op_par_loop!(op, replace, edges, write(kids), idx(cell[0]))?;
    op_par_loop!(op, replace, edges, rw(kids), idx(cell[0]))?;
    op_par_loop!(op, maybe, edges, read(sides), write(one))?;
    op_par_loop!(op, numbers, edges, read(kids), write(n))?;
    op_par_loop!(op, perhaps, edges, opt(true, read(kids)), write(n))?;
    op_par_loop!(op, both, edges, read(q, map[..]), write(q, map[..]))?;
    Ok(())
}

fn kinds(
    op: &mut Op2,
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    kids: Rows<Edges, Cells>,
    others: Rows<Edges, Nodes>,
    sides: OptMap<Edges, Cells, 2>,
    one: OptMap<Edges, Cells, 1>,
    of_nodes: OptMap<Nodes, Cells, 1>,
    own: Dat<Edges, f64>,
    q: Dat<Cells, f64>,
    counts: Dat<Cells, u32>,
) -> op2::Result<()> {
    op_par_loop!(op, first, edges, read(others), write(one))?;
    op_par_loop!(op, first, edges, read(own), write(one))?;
    op_par_loop!(op, first, edges, read(sides), write(one))?;
    op_par_loop!(op, first, nodes, read(kids), write(of_nodes))?;
    op_par_loop!(op, refine, edges, read(own), write(own, kids[..]))?;
    op.grow(kids, counts)?;
    Ok(())
}

fn main() {}
