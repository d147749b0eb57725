//! A crate without unsafe code has loops of every kind.
#![forbid(unsafe_code)]

use op2::prelude::*;

op2::sets! { pub Nodes, Edges }

#[op2::device_fn]
fn half<F: Float>(x: F) -> F {
    x * F::lit(0.5)
}

#[op2::kernel]
fn spread(w: &[f64; 2], x: Option<&f64>, sum: [&mut f64; 2], total: &mut f64) {
    if let Some(x) = x {
        *sum[0] += half(w[0] * *x);
        *sum[1] -= w[1];
    }
    *total += w[0];
}

fn main() -> op2::Result<()> {
    let mut op = Op2::with(Config::default().backend(Backend::Threads(2)))?;
    let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    let edges = op.decl_set::<Edges>("edges", 2)?;
    let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2]])?;
    let w = op.decl_dat("w", edges, &[[1.0, 2.0], [3.0, 4.0]])?;
    let x = op.decl_dat("x", edges, &[1.0, 2.0])?;
    let sum = op.decl_dat_filled("sum", nodes, 0.0)?;
    let total = op.decl_global("total", 0.0);
    op.chain(|op| op_par_loop!(op, spread, edges, read(w), opt(true, read(x)), inc(sum, ends[..]), gbl_inc(total)))?;
    assert_eq!((op.fetch(sum)?, op.get(total)?), (vec![0.5, 1.0, -4.0], 4.0));
    Ok(())
}
