//! Set tags and run-time constants that are used: nothing is reported.
#![deny(warnings, missing_docs, unreachable_pub)]

use op2::prelude::*;

op2::sets! { Nodes, Edges }

op2::constants! {
    /// A kernel reads it.
    static FACTOR: f64;
    /// A device function reads it.
    static OFFSET: [f64; 2];
}

/// Declarations that a macro of the user's writes.
mod by_macro {
    macro_rules! declared {
        ($vis:vis $set:ident $constant:ident: $ty:ty) => {
            op2::sets! { $vis $set }
            op2::constants! {
                /// By a macro.
                $vis static $constant: $ty;
            }
        };
    }
    declared!(pub(super) Cells LIMIT: [f64; 1]);
    op2::sets! {}
    op2::constants! {}
}

#[op2::device_fn]
fn moved(x: f64) -> f64 {
    x + OFFSET.get()[1]
}

#[op2::kernel]
fn scale(x: &mut f64) {
    *x = moved(*x * FACTOR.get());
}

fn declared(op: &mut Op2) -> op2::Result<(Set<Edges>, Set<by_macro::Cells>)> {
    Ok((op.decl_set("edges", 1)?, op.decl_set("cells", 1)?))
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", 1)?;
    let x = op.decl_dat("x", nodes, &[2.0])?;
    declared(&mut op)?;
    FACTOR.set(3.0)?;
    OFFSET.set([0.0, 1.0])?;
    by_macro::LIMIT.set([1.0])?;
    op_par_loop!(op, scale, nodes, rw(x))?;
    assert_eq!(op.fetch(x)?, [7.0]);
    Ok(())
}
