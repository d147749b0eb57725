//! Tables of another kind of set, or of other values.

use op2::{Dat, Idx, Map, Op2, Set, Table, op_par_loop};

op2::sets! { Facets, Verts }

#[op2::kernel]
fn asked(v: Idx<Verts>, x: &Table<Verts, f64>, y: &mut f64) {
    *y = x.at(v);
}

#[op2::kernel]
fn crossed(f: Idx<Facets>, x: &Table<Verts, f64>, y: &mut f64) {
    *y = x.at(f);
}

fn loops(
    op: &mut Op2,
    facets: Set<Facets>,
    corners: Map<Facets, Verts, 3>,
    wide: Dat<Verts, [f64; 2]>,
    other: Dat<Facets, f64>,
    area: Dat<Facets, f64>,
) -> op2::Result<()> {
    op_par_loop!(op, asked, facets, idx(corners[0]), read(wide, all), write(area))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), read(corners, all), write(area))?;
    op_par_loop!(op, asked, facets, idx(corners[0]), read(other, all), write(area))
}

fn main() {}
