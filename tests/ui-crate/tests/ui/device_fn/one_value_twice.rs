//! One value by `&mut` and by `&`.
#[op2::device_fn]
fn add(a: &mut f64, b: &f64) {
    *a += *b;
}

#[op2::kernel]
fn double(a: &mut f64) {
    add(a, a);
}

fn main() {}
