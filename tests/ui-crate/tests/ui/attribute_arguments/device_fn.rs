//! The attribute takes no arguments.
#[op2::device_fn(inline)]
fn square(a: f64) -> f64 {
    a * a
}

fn main() {}
