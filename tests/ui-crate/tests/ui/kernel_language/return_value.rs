//! A kernel returns nothing.
#[op2::kernel]
fn work(q: &[f64; 4]) -> f64 {
    q[0]
}

fn main() {}
