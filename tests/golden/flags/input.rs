#[op2::kernel]
fn mark(value: &[f64; 2], ends: [&mut bool; 2], bits: &mut u32, own: &mut i64, any: &mut bool, all: &mut [u64; 2]) {
    *ends[0] |= value[0] > 0.5;
    *ends[1] = *ends[1] || value[1] > 0.5;
    if value[0] < 0.0 {
        *bits |= 6;
    }
    *own = *own | 1;
    *any |= value[0].is_nan();
    all[1] |= 1 << 40;
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, mark, edges, read(value), or(ends, edge_nodes[..]), or(bits, edge_nodes[0]), or(own), gbl_or(any), gbl_or(all))
}
