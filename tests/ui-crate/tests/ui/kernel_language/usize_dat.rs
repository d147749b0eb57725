//! `usize` has another size on every machine.
#[op2::kernel]
fn work(a: &usize, b: &mut f64) {
    *b += 1.0;
}

fn main() {}
