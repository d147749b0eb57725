//! A const parameter that no argument of the kernel tells.
#[op2::kernel]
fn work<const N: usize>(q: &[f64; 2], b: &mut f64) {
    for i in 0..N {
        *b = q[i % 2];
    }
}

fn main() {}
