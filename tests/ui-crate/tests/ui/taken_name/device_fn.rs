//! A device function with the name of a macro of the standard library, and a call of it.

#[op2::device_fn]
fn line(x: f64) -> f64 {
    2.0 * x
}

#[op2::kernel]
fn double(x: &mut f64) {
    *x = line(*x);
}

fn main() {}
