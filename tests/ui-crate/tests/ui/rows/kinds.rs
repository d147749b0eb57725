//! Kinds of maps and of values against rows of any length.

use op2::{Dat, Map, Op2, OptMap, Row, Rows, Set, op_par_loop};

op2::sets! { Edges, Cells, Nodes }

#[op2::kernel]
fn all(q: [&f64; 2], r: &mut f64) {
    *r += *q[0] - *q[1];
}

#[op2::kernel]
fn one(q: &f64, r: &mut f64) {
    *r += *q;
}

#[op2::kernel]
fn number(n: u32, r: &mut f64) {
    *r += n as f64;
}

#[op2::kernel]
fn sum(q: &Row<f64>, r: &mut f64) {
    for i in 0..q.len() {
        *r += q[i];
    }
}

fn loops(
    op: &mut Op2,
    edges: Set<Edges>,
    cells: Set<Cells>,
    rows: Rows<Edges, Cells>,
    one_row: Rows<Edges, Edges>,
    edge_rows: Rows<Edges, Nodes>,
    map: Map<Edges, Cells, 2>,
    sides: OptMap<Edges, Cells, 2>,
    q: Dat<Cells, f64>,
    pairs: Dat<Cells, [f64; 2]>,
    count: Dat<Cells, f64>,
    own: Dat<Edges, f64>,
    other: Dat<Edges, f64>,
) -> op2::Result<()> {
    op_par_loop!(op, all, edges, read(q, rows[..]), inc(own))?;
    op_par_loop!(op, one, edges, read(other, one_row[0]), inc(own))?;
    op_par_loop!(op, number, edges, idx(edge_rows[0]), inc(own))?;
    op_par_loop!(op, sum, edges, read(q, sides[..]), inc(own))?;
    op_par_loop!(op, sum, cells, read(q, rows[..]), inc(count))?;
    op_par_loop!(op, sum, edges, read(own, rows[..]), inc(other))?;
    op_par_loop!(op, sum, edges, read(pairs, rows[..]), inc(own))?;
    op_par_loop!(op, sum, edges, read(pairs, map[..]), inc(own))?;
    Ok(())
}

fn main() {}
