#[op2::kernel]
fn source(heat: Option<&f64>, t: &mut f64, gain: Option<[&mut f64; 2]>) {
    if let Some(heat) = heat {
        *t += *heat;
    }
    if let Some(gain) = gain {
        *gain[0] += 0.5;
        *gain[1] += 0.5;
    }
}

fn run(op: &mut Op2, heated: bool) -> op2::Result<()> {
    op_par_loop!(op, source, edges, opt(heated, read(heat)), rw(t), opt(step % 2 == 0, inc(gain, ends[..])))
}
