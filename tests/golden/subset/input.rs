#[op2::kernel]
fn clear(a: &mut f64, b: &mut f64) {
    *a = 0.0;
    *b += 1.0;
}

/// A set or a subset: the code is the same.
fn run(op: &mut Op2, boundary: Subset<Nodes>) -> op2::Result<()> {
    op_par_loop!(op, clear, boundary, write(a), inc(b, link[0]))
}
