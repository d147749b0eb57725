//! Arguments that do not fit a kernel that takes rows of any length.

use op2::{Dat, Global, Map, Op2, OptMap, Row, Rows, Set, op_par_loop};

op2::sets! { Edges, Cells }

#[op2::kernel]
fn sum(q: &Row<f64>, r: &mut f64) {
    for i in 0..q.len() {
        *r += q[i];
    }
}

#[op2::kernel]
fn spread(q: &f64, r: &mut Row<f64>) {
    for i in 0..r.len() {
        r[i] += *q;
    }
}

#[op2::kernel]
fn perhaps(q: Option<&Row<f64>>, r: &mut f64) {
    if let Some(q) = q {
        *r += q[0];
    }
}

#[op2::kernel]
fn flags(q: &mut Row<f64>) {
    q[0] = 1.0;
}

fn loops(
    op: &mut Op2,
    edges: Set<Edges>,
    rows: Rows<Edges, Cells>,
    map: Map<Edges, Cells, 2>,
    sides: OptMap<Edges, Cells, 2>,
    q: Dat<Cells, f64>,
    own: Dat<Edges, f64>,
    total: Global<f64>,
) -> op2::Result<()> {
    op_par_loop!(op, sum, edges, read(q, map[0]), inc(own))?;
    op_par_loop!(op, sum, edges, read(q, rows[0]), inc(own))?;
    op_par_loop!(op, sum, edges, read(own), inc(own))?;
    op_par_loop!(op, sum, edges, gbl_read(total), inc(own))?;
    op_par_loop!(op, sum, edges, idx(map[0]), inc(own))?;
    op_par_loop!(op, sum, edges, opt(true, read(q, rows[..])), inc(own))?;
    op_par_loop!(op, sum, edges, inc(q, rows[..]), inc(own))?;
    op_par_loop!(op, spread, edges, read(own), read(q, rows[..]))?;
    op_par_loop!(op, perhaps, edges, read(q, rows[..]), inc(own))?;
    op_par_loop!(op, perhaps, edges, read(q, sides[..]), inc(own))?;
    op_par_loop!(op, flags, edges, or(q, rows[..]))?;
    Ok(())
}

fn main() {}
