//! A kernel cannot assign to a parameter taken by `&`.
#[op2::kernel]
fn scale(a: &f64, b: &f64) {
    *b = 2.0 * *a;
}

fn main() {}
