//! Arguments that do not fit a kernel that takes options.

use op2::{Dat, Op2, OptMap, Set, op_par_loop};

op2::sets! { Edges, Cells }

#[op2::kernel]
fn one(q: Option<&f64>, r: Option<&mut f64>) {
    if let (Some(q), Some(r)) = (q, r) {
        *r += *q;
    }
}

#[op2::kernel]
fn contribute(q: Option<&f64>, r: Option<&mut f64>) {
    if let Some(r) = r {
        *r += *q.unwrap_or(&0.0);
    }
}

#[op2::kernel]
fn all(q: [Option<&f64>; 2], r: &mut f64) {
    *r += q[0].map_or(0.0, |q| *q);
}

#[op2::kernel]
fn change(q: [Option<&mut f64>; 2]) {
    let _ = q;
}

#[op2::kernel]
fn sum(q: [Option<&f64>; 2], w: Option<&f64>, r: &mut f64) {
    *r += *q[0].unwrap_or(&0.0);
    if w.is_some() && q[2].is_none() {
        *r += 1.0;
    }
}

#[op2::kernel]
fn flagged(w: Option<&f64>, r: &mut f64) {
    *r += w.copied().unwrap_or(2.0);
}

#[op2::kernel]
fn nested(q: Option<[Option<&f64>; 2]>, r: &mut f64) {
    *r += 1.0;
}

#[op2::kernel]
fn both(q: Option<[&f64; 2]>, r: &mut f64) {
    if let Some(q) = q {
        *r += *q[0] + *q[1];
    }
}

fn loops(
    op: &mut Op2,
    edges: Set<Edges>,
    sides: OptMap<Edges, Cells, 2>,
    q: Dat<Cells, f64>,
    r: Dat<Cells, f64>,
    own: Dat<Edges, f64>,
) -> op2::Result<()> {
    let present = true;
    op_par_loop!(op, contribute, edges, read(q, sides[0]), inc(r, sides[1]))?;
    op_par_loop!(op, flagged, edges, read(own), inc(r, sides[1]))?;
    op_par_loop!(op, nested, edges, opt(present, read(q, sides[..])), inc(r, sides[1]))?;
    op_par_loop!(op, both, edges, opt(present, read(q, sides[..])), inc(r, sides[1]))?;
    Ok(())
}

fn main() {}
