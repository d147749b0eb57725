//! Items inside a kernel.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    fn square(x: f64) -> f64 {
        x * x
    }
    *b = square(q[0]);
}

fn main() {}
