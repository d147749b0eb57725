//! A plain function cannot be called from a kernel.
fn square(a: f64) -> f64 {
    a * a
}

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = square(*a);
}

fn main() {}
