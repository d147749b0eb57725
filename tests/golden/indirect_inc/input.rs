#[op2::kernel]
fn spread(weight: &f64, sum: &mut f64) {
    *sum += 0.5 * *weight;
}

fn run(op: &mut Op2, edges: Set<Edges>, ends: Map<Edges, Nodes, 2>, w: Dat<Edges, f64>, s: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, spread, edges, read(w), inc(s, ends[0]))
}
