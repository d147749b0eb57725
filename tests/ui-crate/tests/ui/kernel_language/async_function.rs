//! Qualifiers of the function.
#[op2::kernel]
async fn work(b: &mut f64) {
    *b = 1.0;
}

fn main() {}
