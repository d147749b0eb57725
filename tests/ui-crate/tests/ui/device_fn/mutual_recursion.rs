//! Device functions that call each other.

#[op2::device_fn]
fn even(x: f64) -> f64 {
    if x > 1.0 { odd(x - 1.0) } else { 1.0 }
}

#[op2::device_fn]
fn odd(x: f64) -> f64 {
    if x > 1.0 { even(x - 1.0) } else { 0.0 }
}

#[op2::kernel]
fn parity(x: &mut f64) {
    *x = even(*x);
}

fn main() {}
