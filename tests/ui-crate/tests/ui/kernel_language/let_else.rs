//! `let … else`.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let [x, ..] = q else { return };
    *b = *x;
}

fn main() {}
