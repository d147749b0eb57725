//! The `Op2` itself is lent to the chain as long as there is one.

use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn double(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 3)?;
    let a = op.decl_dat_filled("a", cells, 1.0)?;
    let b = op.decl_dat_filled("b", cells, 0.0)?;
    op.chain(|chain| {
        op_par_loop!(chain, double, cells, read(a), write(b))?;
        op.fetch(b).map(drop)
    })
}
