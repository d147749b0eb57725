//! A reference where a value is expected.
#[op2::device_fn]
fn product(a: f64, b: f64) -> f64 {
    a * b
}

#[op2::kernel]
fn scale(a: &f64, n: &i32, b: &mut f64) {
    *b = product(*a, *n);
}

fn main() {}
