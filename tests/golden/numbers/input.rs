//! A table that is asked by numbers: the element that comes `stride` places before.

#[op2::kernel]
fn slope(me: Idx<Verts>, height: &Table<Verts, f32>, stride: &u32, rise: &mut f32) {
    let number = height.number(me);
    *rise = if number < *stride { 0.0 } else { height.at(me) - height.at(height.nth(number - *stride)) };
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(op, slope, verts, idx(), read(height, all), gbl_read(stride), write(rise))
}
