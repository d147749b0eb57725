//! Slices.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let tail = &q[1..];
    *b = tail[0];
}

fn main() {}
