//! An index beyond the array.
#[op2::kernel]
fn last(q: &[f64; 4], a: &mut f64) {
    *a = q[4];
}

fn main() {}
