//! Entries of a map that may be missing: read as options, asked in several ways, and contributed to as everywhere.

#[op2::kernel]
fn upwind(speed: &f64, q: [Option<&f64>; 2], near: Option<u32>, inflow: &f64, change: [&mut f64; 2]) {
    let [left, right] = [*q[0].unwrap_or(inflow), *q[1].unwrap_or(inflow)];
    let mut flux = *speed * if *speed > 0.0 { left } else { right };
    if let Some(near) = near {
        flux += near as f64;
    }
    *change[0] -= flux;
    if q[1].is_some() {
        *change[1] += flux;
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(
        op,
        upwind,
        edges,
        read(speed),
        read(q, sides[..]),
        idx(sides[0]),
        gbl_read(inflow),
        inc(change, sides[..])
    )
}
