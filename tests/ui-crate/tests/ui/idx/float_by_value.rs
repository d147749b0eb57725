//! Only an index comes by value.
#[op2::kernel]
fn scale(a: f64, b: &mut f64) {
    *b *= a;
}

fn main() {}
