//! Iterators.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    *b = q.iter().map(|x| x * 2.0).sum();
}

fn main() {}
