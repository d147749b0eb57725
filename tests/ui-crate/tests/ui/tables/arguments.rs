//! Tables against arguments: `all` and nothing else passes one, and it is only read.

use op2::{Dat, Global, Idx, Map, Op2, Set, Table, op_par_loop};

op2::sets! { Facets, Verts }

#[op2::kernel]
fn asked(v: Idx<Verts>, x: &Table<Verts, f64>, y: &mut f64) {
    *y = x.at(v);
}

#[op2::kernel]
fn itself(x: &f64, y: &mut f64) {
    *y = *x;
}

#[op2::kernel]
fn changed(x: &mut Table<Verts, f64>) {}

#[op2::kernel]
fn by_value(x: Table<Verts, f64>, y: &mut f64) {
    *y = 1.0;
}

#[op2::kernel]
fn entries(x: [&Table<Verts, f64>; 2], y: &mut f64) {
    *y = 1.0;
}

#[op2::kernel]
fn both(v: Idx<Verts>, x: &Table<Verts, f64>, y: [&mut f64; 3]) {
    *y[0] += x.at(v);
}

#[op2::kernel]
fn perhaps(v: Idx<Verts>, x: Option<&Table<Verts, f64>>, y: &mut f64) {
    *y = 0.0;
    if let Some(x) = x {
        *y = x.at(v);
    }
}

fn loops(
    op: &mut Op2,
    facets: Set<Facets>,
    corners: Map<Facets, Verts, 3>,
    x: Dat<Verts, f64>,
    area: Dat<Facets, f64>,
    wide: Dat<Verts, [f64; 2]>,
    target: Global<f64>,
) -> op2::Result<()> {
    op_par_loop!(op, asked, facets, idx(corners[0]), read(x, corners[0]), write(area))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), rw(x, all), write(area))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), opt(true, read(x, all)), write(area))?;
    op_par_loop!(op, perhaps, facets, idx(corners[0]), read(x, all), write(area))?;
    op_par_loop!(op, perhaps, facets, idx(corners[0]), opt(true, read(x, corners[0])), write(area))?;
    op_par_loop!(op, perhaps, facets, idx(corners[0]), opt(true, rw(x, all)), write(area))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), gbl_read(target), write(area))?;
    op_par_loop!(op, asked, facets, idx(all), read(x, all), write(area))?;
    op_par_loop!(op, itself, facets, read(x, all), write(area))?;
    op_par_loop!(op, both, facets, idx(corners[0]), read(x, all), inc(x, corners[..]))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), read(wide, all), write(area))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), read(area, all), write(area))
}

fn main() {}
