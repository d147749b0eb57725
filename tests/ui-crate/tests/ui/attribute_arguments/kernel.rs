//! The attribute takes no arguments.
#[op2::kernel(cuda, block = 128)]
fn clear(a: &mut f64) {
    *a = 0.0;
}

fn main() {}
