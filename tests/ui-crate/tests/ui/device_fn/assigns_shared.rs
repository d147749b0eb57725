//! A device function assigns what it takes by `&`.
#[op2::device_fn]
fn clear(a: &f64) {
    *a = 0.0;
}

fn main() {}
