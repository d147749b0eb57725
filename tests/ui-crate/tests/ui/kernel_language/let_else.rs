//! `let … else` of something that is not there in kernels.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let Some(x) = q.first() else { return };
    *b = *x;
}

fn main() {}
