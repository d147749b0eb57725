//! One float type.
#[op2::kernel]
fn work<F: op2::Float, G: op2::Float>(a: &F, b: &mut F) {
    *b = *a;
}

fn main() {}
