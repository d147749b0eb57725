//! A run-time constant that nothing uses.
#![deny(dead_code)]

op2::constants! {
    /// A kernel reads it.
    static FACTOR: f64;
    /// Nobody does.
    static OFFSET: f64;
}

#[op2::kernel]
fn scale(x: &mut f64) {
    *x *= FACTOR.get();
}

fn main() {
    scale(&mut 1.0);
}
