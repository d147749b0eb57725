//! One of all entries of a map is assigned.
use op2::prelude::*;

op2::sets! { Nodes, Cells }

#[op2::kernel]
fn share(a: &f64, r: [&mut f64; 4]) {
    for n in 0..4 {
        *r[n] = *a;
    }
}

fn run(
    op: &mut Op2,
    cells: Set<Cells>,
    pcell: Map<Cells,
    Nodes,
    4>,
    a: Dat<Cells,
    f64>,
    r: Dat<Nodes,
    f64>,
) -> op2::Result<()> {
    op_par_loop!(op, share, cells, read(a), inc(r, pcell[..]))
}

fn main() {}
