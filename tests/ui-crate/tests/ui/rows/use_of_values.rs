//! What a kernel does with a row against the access that the loop declares.

use op2::{Dat, Op2, Row, Rows, Set, op_par_loop};

op2::sets! { Edges, Cells }

#[op2::kernel]
fn reads(q: &mut Row<f64>) {
    for i in 0..q.len() {
        if q[i] > 1.0 {
            q[i] = 1.0;
        }
    }
}

#[op2::kernel]
fn assigns(q: &mut Row<f64>) {
    for i in 0..q.len() {
        q[i] = 1.0;
    }
}

#[op2::kernel]
fn adds(q: &mut Row<f64>) {
    for i in 0..q.len() {
        q[i] += 1.0;
    }
}

fn loops(op: &mut Op2, edges: Set<Edges>, rows: Rows<Edges, Cells>, q: Dat<Cells, f64>) -> op2::Result<()> {
    op_par_loop!(op, reads, edges, write(q, rows[..]))?;
    op_par_loop!(op, adds, edges, write(q, rows[..]))?;
    op_par_loop!(op, assigns, edges, inc(q, rows[..]))?;
    op_par_loop!(op, assigns, edges, read(q, rows[..]))?;
    op_par_loop!(op, adds, edges, min(q, rows[..]))?;
    op_par_loop!(op, assigns, edges, or(q, rows[..]))?;
    Ok(())
}

fn main() {}
