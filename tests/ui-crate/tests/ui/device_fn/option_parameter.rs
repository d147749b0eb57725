//! Only kernels have optional parameters.
#[op2::device_fn]
fn value(a: Option<&f64>) -> f64 {
    1.0
}

fn main() {}
