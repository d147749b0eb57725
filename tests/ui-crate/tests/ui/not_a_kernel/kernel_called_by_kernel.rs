//! Kernels call device functions, not kernels.
#[op2::kernel]
fn clear(a: &mut f64) {
    *a = 0.0;
}

#[op2::kernel]
fn reset(a: &mut f64, b: &mut f64) {
    clear(a);
    *b = 0.0;
}

fn main() {}
