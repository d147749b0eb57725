//! The length of an array.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let w = [0.0; 2 << 3];
    *b = w[0] + q[0];
}

fn main() {}
