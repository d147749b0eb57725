//! The name of a device function, mistyped.
#[op2::device_fn]
fn square(a: f64) -> f64 {
    a * a
}

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = sqaure(*a);
}

fn main() {}
