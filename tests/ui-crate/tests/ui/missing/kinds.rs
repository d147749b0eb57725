//! Kinds of maps against kinds of parameters.

use op2::{Dat, Map, Op2, OptMap, Set, op_par_loop};

op2::sets! { Edges, Cells }

#[op2::kernel]
fn plain(q: &f64, n: u32, r: &mut f64) {
    *r += *q * n as f64;
}

#[op2::kernel]
fn option(q: Option<&f64>, n: Option<u32>, r: &mut f64) {
    *r += *q.unwrap_or(&0.0) * n.unwrap_or(0) as f64;
}

#[op2::kernel]
fn all(q: [&f64; 2], r: &mut f64) {
    *r += *q[0] - *q[1];
}

#[op2::kernel]
fn options(q: [Option<&f64>; 2], r: &mut f64) {
    *r += *q[0].unwrap_or(&1.0) - q[1].copied().unwrap_or(1.0);
}

fn loops(
    op: &mut Op2,
    edges: Set<Edges>,
    map: Map<Edges, Cells, 2>,
    sides: OptMap<Edges, Cells, 2>,
    q: Dat<Cells, f64>,
    r: Dat<Cells, f64>,
) -> op2::Result<()> {
    op_par_loop!(op, plain, edges, read(q, sides[0]), idx(sides[1]), inc(r, sides[0]))?;
    op_par_loop!(op, option, edges, read(q, map[0]), idx(map[1]), inc(r, sides[0]))?;
    op_par_loop!(op, all, edges, read(q, sides[..]), inc(r, map[0]))?;
    op_par_loop!(op, options, edges, read(q, map[..]), inc(r, map[0]))?;
    Ok(())
}

fn main() {}
