//! `while let`.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    while let Some(x) = q.first() {
        *b = *x;
    }
}

fn main() {}
