//! Sets in the wrong order: the map would lead from nodes to edges.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

fn declare(op: &mut Op2, nodes: Set<Nodes>, edges: Set<Edges>) -> op2::Result<Map<Edges, Nodes, 2>> {
    op.decl_map("pedge", nodes, edges, &[[0, 1]])
}

fn main() {}
