//! An index that a device function gets.
#[op2::device_fn]
fn pick(q: &[f64; 4], n: usize) -> f64 {
    q[n]
}

#[op2::kernel]
fn last(q: &[f64; 4], a: &mut f64) {
    *a = pick(q, 7);
}

fn main() {}
