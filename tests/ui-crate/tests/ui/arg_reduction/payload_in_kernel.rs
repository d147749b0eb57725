//! The kernel passes a payload of another type.
use op2::ArgMax;

#[op2::kernel]
fn worst(a: &f64, cell: u64, worst: &mut ArgMax<f64, u32>) {
    worst.update(*a, cell);
}

fn main() {}
