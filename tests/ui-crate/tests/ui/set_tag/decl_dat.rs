//! A dat that is declared on another set than its type says.
use op2::prelude::*;

op2::sets! { Nodes, Cells }

fn declare(op: &mut Op2, nodes: Set<Nodes>) -> op2::Result<Dat<Cells, f64>> {
    op.decl_dat("adt", nodes, &[0.0; 10])
}

fn main() {}
