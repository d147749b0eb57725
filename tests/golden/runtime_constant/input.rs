op2::constants! {
    /// The far field.
    static QINF: [f64; 4];
}

#[op2::device_fn]
fn far(n: usize) -> f64 {
    QINF.get()[n]
}

#[op2::kernel]
fn reset(q: &mut [f64; 4]) {
    for n in 0..4 {
        q[n] = far(n) + GAMMA.get();
    }
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, reset, cells, write(q))
}
