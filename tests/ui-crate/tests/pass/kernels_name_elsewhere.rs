//! Fields, and variables that a macro made, may bear the name of the kernel.
use op2::prelude::*;

op2::sets! { pub Nodes }

#[op2::kernel]
fn update(x: &mut f64) {
    *x *= 0.5;
}

struct Dats {
    update: Dat<Nodes, f64>,
}

fn by_a_field(op: &mut Op2, nodes: Set<Nodes>, dats: &Dats) -> op2::Result<()> {
    op_par_loop!(op, update, nodes, rw(dats.update))
}

macro_rules! with_a_variable {
    ($op:expr, $kernel:ident, $nodes:expr, $dats:expr) => {{
        let update = $dats.update;
        op_par_loop!($op, $kernel, $nodes, rw(update))
    }};
}

fn by_a_macro(op: &mut Op2, nodes: Set<Nodes>, dats: &Dats) -> op2::Result<()> {
    with_a_variable!(op, update, nodes, dats)
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let nodes = op.decl_set("nodes", 2)?;
    let dats = Dats { update: op.decl_dat("x", nodes, &[4.0, 8.0])? };
    by_a_field(&mut op, nodes, &dats)?;
    by_a_macro(&mut op, nodes, &dats)?;
    assert_eq!(op.fetch(dats.update)?, [1.0, 2.0]);
    Ok(())
}
