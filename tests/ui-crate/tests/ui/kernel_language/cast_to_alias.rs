//! The macro sees no declarations.
type Real = f64;

#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let k: Real = q[0];
    *b = k;
}

fn main() {}
