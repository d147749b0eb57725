//! Loops over pairs whose arguments do not say which end of a pair they mean, or mean another one.
use op2::prelude::*;

op2::sets! { Triangles, Points }

#[op2::kernel]
fn add(x: &[f64; 2], sum: &mut f64) {
    *sum += x[0];
}

#[op2::kernel]
fn shifted(x: &[f64; 2], shift: &[f64; 2], sum: &mut f64) {
    *sum += x[0] + shift[0];
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let triangles = op.decl_set::<Triangles>("triangles", 2)?;
    let points = op.decl_set::<Points>("points", 2)?;
    let corners = op.decl_dat("corners", triangles, &[[[0.0; 2]; 3]; 2])?;
    let x = op.decl_dat("x", points, &[[0.0; 2]; 2])?;
    let sum = op.decl_dat("sum", triangles, &[0.0; 2])?;
    let near = op.decl_pairs("near", Within::boxes(corners, x))?;
    op_par_loop!(op, add, near, read(x), inc(sum, from))?;
    op_par_loop!(op, add, near, read(x, to), inc(x, from))?;
    op_par_loop!(op, shifted, near, read(x, to), shift(), inc(sum, from))?;
    op_par_loop!(op, add, near, read(x, to), shift(near))?;
    let _ = op_plan!(op, add, near, read(x, to), inc(sum, from))?;
    Ok(())
}
