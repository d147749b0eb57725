//! `for` runs over ranges and arrays.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    for v in *b {
        *b += v + q[0];
    }
}

fn main() {}
