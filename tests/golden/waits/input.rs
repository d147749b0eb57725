#[op2::kernel]
fn flow(q: [&[f64; 2]; 2], wall: [&i32; 2], normal: &[f64; 3], res: [&mut f64; 2]) {
    let u = [q[0][1] / q[0][0], q[1][1] / q[1][0]];
    let through = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    let at_wall = *wall[0] == 1 || *wall[1] == 1;
    let flux = if at_wall { 0.0 } else { through * (u[0] + u[1]) };
    *res[0] += flux;
    *res[1] -= flux;
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, flow, edges, read(q, ends[..]), read(wall, ends[..]), read(normal), inc(res, ends[..]))
}
