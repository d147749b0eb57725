//! An index that the loop bounds give.
#[op2::kernel]
fn sum(q: &[f64; 4], a: &mut f64) {
    for n in 0..=4 {
        *a += q[n];
    }
}

fn main() {}
