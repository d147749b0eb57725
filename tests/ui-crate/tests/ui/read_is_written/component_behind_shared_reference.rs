//! One component of an array behind `&`.
#[op2::kernel]
fn clear(q: &[f64; 4]) {
    for n in 1..4 {
        q[n] = 0.0;
    }
}

fn main() {}
