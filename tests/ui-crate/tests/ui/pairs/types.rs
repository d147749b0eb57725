//! Handles that do not fit a loop over pairs.
use op2::prelude::*;

op2::sets! { Triangles, Points }

#[op2::kernel]
fn add(x: &[f64; 2], sum: &mut f64) {
    *sum += x[0];
}

#[op2::kernel]
fn set(x: &[f64; 2], last: &mut f64) {
    *last = x[0];
}

#[op2::kernel]
fn shifted(x: &[f64; 2], shift: [f64; 3], sum: &mut f64) {
    *sum += x[0] + shift[2];
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let triangles = op.decl_set::<Triangles>("triangles", 2)?;
    let points = op.decl_set::<Points>("points", 2)?;
    let corners = op.decl_dat("corners", triangles, &[[[0.0; 2]; 3]; 2])?;
    let x = op.decl_dat("x", points, &[[0.0; 2]; 2])?;
    let height = op.decl_dat("height", points, &[0.0; 2])?;
    let sum = op.decl_dat("sum", triangles, &[0.0; 2])?;
    let near = op.decl_pairs("near", Within::boxes(corners, x))?;
    op_par_loop!(op, add, triangles, read(x, to), inc(sum, from))?;
    op_par_loop!(op, add, near, read(x), inc(sum))?;
    op_par_loop!(op, add, near, read(x, from), inc(sum, from))?;
    op_par_loop!(op, set, near.by_to(), read(x, to), write(sum, from))?;
    op_par_loop!(op, set, near, read(x, to), write(height, to))?;
    op_par_loop!(op, shifted, near, read(x, to), shift(), inc(sum, from))?;
    let _ = Within::boxes(corners, height);
    let _ = Within::boxes(corners, x).periodic([1.0; 3]);
    Ok(())
}
