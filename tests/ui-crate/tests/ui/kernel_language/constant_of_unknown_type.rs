//! The macro does not see how a constant is declared.
const FACTOR: f64 = 2.0;

#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let factor = FACTOR;
    if *n > 0 {
        *b = q[0];
    }
}

fn main() {}
