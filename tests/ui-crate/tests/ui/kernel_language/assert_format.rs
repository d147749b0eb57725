//! The compiler checks the message in the kernel's own text.
#[op2::kernel]
fn work(q: &[f64; 4], b: &mut f64) {
    debug_assert!(q[0] > 0.0, "q is {} at {}", q[0]);
    *b = q[0];
}

fn main() {}
