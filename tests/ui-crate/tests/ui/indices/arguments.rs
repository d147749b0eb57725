//! Arguments that do not fit a kernel that takes indices.

use op2::{ArgMin, Dat, Global, Idx, Map, Op2, Set, op_par_loop};

op2::sets! { Facets, Verts }

#[op2::kernel]
fn change(c: &mut [Idx<Verts>; 3]) {
    c[0] = c[1];
}

#[op2::kernel]
fn maybe(c: Option<Idx<Verts>>, x: &mut f64) {
    *x = if c.is_some() { 1.0 } else { 0.0 };
}

#[op2::kernel]
fn shortest(v: Idx<Verts>, best: &mut ArgMin<f64, Idx<Verts>>) {
    best.update(1.0, v);
}

#[op2::record]
struct Corner {
    v: Idx<Verts>,
    x: f64,
}

#[op2::kernel]
fn held(c: &Corner, x: &mut f64) {
    *x = c.x;
}

fn loops(
    op: &mut Op2,
    facets: Set<Facets>,
    corner: Map<Facets, Verts, 3>,
    x: Dat<Facets, f64>,
    target: Global<[f64; 3]>,
) -> op2::Result<()> {
    op_par_loop!(op, change, facets, inc(corner))?;
    op_par_loop!(op, change, facets, read(corner))?;
    op_par_loop!(op, change, facets, gbl_read(target))?;
    op_par_loop!(op, maybe, facets, idx(corner[0]), write(x))
}

fn main() {}
