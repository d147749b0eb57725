//! An argument that is there if its flag holds and its entry leads somewhere.

#[op2::kernel]
fn limit(bound: Option<&f64>, q: &mut f64) {
    if let Some(bound) = bound {
        *q = q.min(*bound);
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(op, limit, edges, opt(limited, read(bound, sides[1])), rw(q))
}
