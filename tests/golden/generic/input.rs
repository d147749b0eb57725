#[op2::kernel]
pub fn step<F: Float>(f: &F, u: &mut F, change: &mut F) {
    let new = F::lit(0.25) * *f;
    *change = change.max((new - *u).abs());
    *u = new;
}

fn run<F: Float>(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, step, nodes, read(f), rw(u), gbl_max(change))
}
