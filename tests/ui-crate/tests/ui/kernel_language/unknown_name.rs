//! A misspelt name.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let speed = q[0];
    *b = sped;
}

fn main() {}
