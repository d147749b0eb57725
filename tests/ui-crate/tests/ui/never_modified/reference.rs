//! Parameters taken by `&mut` are modified.
#[op2::kernel]
fn copy(a: &mut f64, b: &mut f64) {
    *b = *a;
}

fn main() {}
