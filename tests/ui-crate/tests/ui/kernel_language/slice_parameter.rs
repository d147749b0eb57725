//! A slice has no length.
#[op2::kernel]
fn work(q: &[f64], b: &mut f64) {
    *b = q[0];
}

fn main() {}
