//! Literals of the type parameter.
use op2::Float;

#[op2::kernel]
fn work<F: Float>(a: &F, b: &mut F) {
    *b = 0.5 * *a;
}

fn main() {}
