//! Allocation.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let v = vec![0.0; 4];
    *b = v[0];
}

fn main() {}
