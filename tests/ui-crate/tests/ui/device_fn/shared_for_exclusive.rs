//! A kernel passes on by `&mut` what it has by `&`.
#[op2::device_fn]
fn clear(a: &mut f64) {
    *a = 0.0;
}

#[op2::kernel]
fn reset(a: &f64) {
    clear(a);
}

fn main() {}
