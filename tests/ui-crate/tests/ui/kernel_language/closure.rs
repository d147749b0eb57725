//! Functions as values.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let square = |x: f64| x * x;
    *b = square(q[0]);
}

fn main() {}
