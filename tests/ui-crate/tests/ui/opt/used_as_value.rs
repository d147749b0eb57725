//! The same without `unwrap`.
#[op2::kernel]
fn scale(a: Option<&f64>, b: &mut f64) {
    *b *= a;
}

fn main() {}
