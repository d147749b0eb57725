//! A kernel asks before it uses an optional argument.
#[op2::kernel]
fn scale(a: Option<&f64>, b: &mut f64) {
    *b *= *a.unwrap();
}

fn main() {}
