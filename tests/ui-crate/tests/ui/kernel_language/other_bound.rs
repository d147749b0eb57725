//! Bounds of the type parameter.
#[op2::kernel]
fn work<T: Copy>(a: &T, b: &mut T) {
    *b = *a;
}

fn main() {}
