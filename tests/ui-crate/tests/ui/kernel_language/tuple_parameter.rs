//! Dats have no tuples.
#[op2::kernel]
fn work(a: &(f64, f64), b: &mut f64) {
    *b = a.0;
}

fn main() {}
