//! A macro of the user by the name of an assertion.
macro_rules! debug_assert {
    ($($tokens:tt)*) => {};
}

#[op2::kernel]
fn work(q: &[f64; 4], b: &mut f64) {
    debug_assert!(q[0] > 0.0);
    *b = q[0];
}

fn main() {}
