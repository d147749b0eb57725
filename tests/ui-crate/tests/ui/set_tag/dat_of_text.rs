//! A dat of what no kernel can compute with.
use op2::prelude::*;

op2::sets! { Cells }

fn declare(op: &mut Op2, cells: Set<Cells>) -> op2::Result<()> {
    op.decl_dat("name", cells, &["a", "b"])?;
    op.decl_dat("mark", cells, &[1u128, 2])?;
    Ok(())
}

fn main() {}
