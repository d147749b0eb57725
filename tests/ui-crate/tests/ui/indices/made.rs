//! Indices, tables and rows that a kernel makes, as only tests of kernels do.

use op2::{Idx, Row, Table};

op2::sets! { Facets, Verts }

#[op2::kernel]
fn first(c: &mut [Idx<Verts>; 3]) {
    c[0] = Idx::of(0);
    c[1] = op2::Idx::<Verts>::of(1);
}

#[op2::kernel]
fn own(f: Idx<Facets>, x: &mut f64) {
    *x = Table::of(&[1.0, 2.0]).at(f) + Row::of(&mut [1.0, 2.0])[0];
}

fn main() {
    let x = Table::<Verts, f64>::of(&[1.0]);
    assert!(x.at(Idx::of(0)) == Row::of(&mut [1.0])[0]);
}
