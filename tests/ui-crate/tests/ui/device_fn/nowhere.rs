//! Names like those of no function.
#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = square(*a);
}

mod physics {}

#[op2::kernel]
fn double(a: &f64, b: &mut f64) {
    *b = physics::cube(*a);
}

fn main() {}
