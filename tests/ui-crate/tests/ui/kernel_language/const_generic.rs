//! Const parameters.
#[op2::kernel]
fn work<const N: usize>(q: &[f64; N], b: &mut f64) {
    *b = q[0];
}

fn main() {}
