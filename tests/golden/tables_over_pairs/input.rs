//! Tables in a loop over pairs: one that is asked for numbers, one that may be absent.

#[op2::kernel]
fn near(f: Idx<Cells>, t: Idx<Points>, x: &Table<Points, [f64; 2]>, scale: Option<&Table<Cells, f64>>, sum: &mut f64, last: &mut u32) {
    let mut w = x.at(t)[1];
    if let Some(scale) = scale {
        w *= scale.at(f);
    }
    *sum += w;
    *last = (*last).max(x.number(t));
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(op, near, meeting, idx(from), idx(to), read(x, all), opt(scaled, read(scale, all)), inc(sum, to), max(last, from))
}
