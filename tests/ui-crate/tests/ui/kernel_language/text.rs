//! Kernels have no text.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let name = "wall";
    *b = 1.0;
}

fn main() {}
