//! The kernel has one length, and the loop passes two; or no argument has a length.
use op2::prelude::*;

op2::sets! { Nodes, Cells }

#[op2::kernel]
fn scale<const N: usize>(a: &[f64; N], b: &mut [f64; N]) {
    for i in 0..N {
        b[i] = 2.0 * a[i];
    }
}

#[op2::kernel]
fn all<const N: usize>(a: [&f64; N], b: &mut f64) {
    for x in a {
        *b += *x;
    }
}

fn run(
    op: &mut Op2,
    cells: Set<Cells>,
    pcell: Map<Cells, Nodes, 4>,
    a: Dat<Cells, [f64; 2]>,
    b: Dat<Cells, [f64; 3]>,
    c: Dat<Cells, f64>,
    x: Dat<Nodes, f64>,
) -> op2::Result<()> {
    op_par_loop!(op, scale, cells, read(a), write(b))?;
    op_par_loop!(op, scale, cells, read(c), write(b))?;
    op_par_loop!(op, all, cells, read(x, pcell[1]), rw(c))
}

fn main() {}
