//! Indices of one kind of set where those of another are expected, and maps that are no dats.

use op2::{Dat, Idx, Map, Op2, OptMap, Set, op_par_loop};

op2::sets! { Facets, Verts }

#[op2::kernel]
fn corners(c: &[Idx<Verts>; 3], area: &mut f64) {
    *area = if c[0] == c[1] { 0.0 } else { 1.0 };
}

#[op2::kernel]
fn itself(f: Idx<Verts>, area: &mut f64) {
    let _ = f;
    *area = 1.0;
}

#[op2::kernel]
fn mixed(f: Idx<Facets>, c: &[Idx<Verts>; 3], area: &mut f64) {
    *area = if f == c[0] { 1.0 } else { 0.0 };
}

#[op2::kernel]
fn beside(n: &mut [Option<Idx<Facets>>; 3]) {
    n[0] = None;
}

#[op2::kernel]
fn numbers(c: &[u32; 3], area: &mut f64) {
    *area = c[0] as f64;
}

fn loops(
    op: &mut Op2,
    facets: Set<Facets>,
    verts: Set<Verts>,
    corner: Map<Facets, Verts, 3>,
    near: OptMap<Facets, Facets, 3>,
    back: Map<Verts, Facets, 3>,
    area: Dat<Facets, f64>,
    weight: Dat<Verts, f64>,
) -> op2::Result<()> {
    op_par_loop!(op, corners, facets, read(near), write(area))?;
    op_par_loop!(op, corners, verts, read(back), write(weight))?;
    op_par_loop!(op, corners, verts, read(corner), write(weight))?;
    op_par_loop!(op, itself, facets, idx(), write(area))?;
    op_par_loop!(op, itself, facets, idx(near[0]), write(area))?;
    op_par_loop!(op, mixed, facets, idx(), read(corner), write(area))?;
    op_par_loop!(op, beside, facets, rw(corner))?;
    op_par_loop!(op, numbers, facets, read(corner), write(area))
}

fn main() {}
