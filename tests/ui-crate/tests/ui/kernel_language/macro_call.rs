//! Macros.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    println!("{}", q[0]);
    *b = q[0];
}

fn main() {}
