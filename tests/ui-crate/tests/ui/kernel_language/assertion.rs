//! Assertions.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    assert!(q[0] > 0.0);
    *b = q[0];
}

fn main() {}
