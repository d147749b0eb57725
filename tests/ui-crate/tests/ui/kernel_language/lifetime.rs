//! Lifetimes.
#[op2::kernel]
fn work<'a>(a: &'a f64, b: &mut f64) {
    *b = *a;
}

fn main() {}
