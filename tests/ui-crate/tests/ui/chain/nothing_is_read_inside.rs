//! The loops of a chain may not have run yet: what they leave is read behind it.

use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn double(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

#[op2::kernel]
fn total(b: &f64, sum: &mut f64) {
    *sum += *b;
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 3)?;
    let a = op.decl_dat_filled("a", cells, 1.0)?;
    let b = op.decl_dat_filled("b", cells, 0.0)?;
    let sum = op.decl_global("sum", 0.0);
    op.chain(|chain| {
        op_par_loop!(chain, double, cells, read(a), write(b))?;
        let doubled: Vec<f64> = chain.fetch(b)?;
        chain.set(sum, doubled[0])?;
        op_par_loop!(chain, total, cells, read(b), gbl_inc(sum))
    })
}
