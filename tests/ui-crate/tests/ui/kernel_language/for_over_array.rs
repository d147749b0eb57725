//! `for` runs over ranges.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    for v in q {
        *b += *v;
    }
}

fn main() {}
