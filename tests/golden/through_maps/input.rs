#[op2::kernel]
fn touch(node: u32, a: &mut f64, b: &mut f64, c: &mut i32, d: &mut [f32; 2]) {
    *a = 2.0 * *a;
    *b = 1.0;
    *c = (*c).max(node as i32);
    d[0] = d[0].min(1.0);
    d[1] = d[1].min(2.0);
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, touch, cells, idx(owner[0]), rw(a, owner[0]), write(b, owner[0]), max(c, owner[0]), min(d, owner[0]))
}
