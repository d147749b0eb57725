#[op2::kernel]
fn attract(
    x: &[f64; 2],
    y: &[f64; 2],
    shift: [f64; 2],
    charge: Option<&f64>,
    force: &mut [f64; 2],
    reaction: &mut [f64; 2],
    first: usize,
    second: u32,
    work: &mut f64,
) {
    if first != second as usize {
        let d = [x[0] + shift[0] - y[0], x[1] + shift[1] - y[1]];
        let mut near = 1.0 / (0.5 + d[0] * d[0] + d[1] * d[1]);
        if let Some(charge) = charge {
            near *= *charge;
        }
        for c in 0..2 {
            force[c] -= near * d[c];
            reaction[c] += near * d[c];
        }
        *work += near;
    }
}

fn run(op: &mut Op2, charged: bool) -> op2::Result<()> {
    op_par_loop!(
        op,
        attract,
        near,
        read(x, from),
        read(x, to),
        shift(),
        opt(charged, read(charge, to)),
        inc(force, from),
        inc(force, to),
        idx(from),
        idx(to),
        gbl_inc(work)
    )
}
