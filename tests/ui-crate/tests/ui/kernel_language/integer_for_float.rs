//! Literals as in Rust.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    *b = 2 * q[0];
}

fn main() {}
