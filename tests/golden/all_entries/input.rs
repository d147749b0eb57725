#[op2::kernel]
fn area(x: [&[f64; 2]; 3], area: &mut f64, shares: [&mut f64; 3]) {
    let cross = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
    *area = 0.5 * cross.abs();
    for n in 0..3 {
        *shares[n] += *area / 3.0;
    }
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, area, triangles, read(x, corners[..]), write(areas), inc(shares, corners[..]))
}
