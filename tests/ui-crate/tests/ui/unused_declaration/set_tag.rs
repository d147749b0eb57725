//! A tag of sets that nothing uses.
#![deny(dead_code)]

op2::sets! { Nodes, Faces }

fn main() -> op2::Result<()> {
    let mut op = op2::Op2::new()?;
    op.decl_set::<Nodes>("nodes", 1)?;
    Ok(())
}
