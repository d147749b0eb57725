//! An index that follows from a `let`.
#[op2::kernel]
fn last(q: &[[f64; 2]; 3], a: &mut f64) {
    let n = 3;
    *a = q[n - 1][n];
}

fn main() {}
