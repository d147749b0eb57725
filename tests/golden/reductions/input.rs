#[op2::kernel]
fn change(new: &[f64; 2], old: &[f64; 2], scale: &f64, sum: &mut f64, low: &mut f64, worst: &mut ArgMax<f64, u32>, cell: u32) {
    for n in 0..2 {
        let d = *scale * (new[n] - old[n]);
        *sum += d * d;
        *low = low.min(d);
        worst.update(d * d, cell);
    }
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(
        op, change, cells,
        read(new), read(old), gbl_read(scale), gbl_inc(sum), gbl_min(low), gbl_max(worst), idx()
    )
}
