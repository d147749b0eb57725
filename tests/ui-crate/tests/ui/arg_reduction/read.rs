//! The best so far cannot be asked for.
use op2::ArgMax;

#[op2::kernel]
fn worst(a: &f64, cell: u32, worst: &mut ArgMax<f64, u32>) {
    if worst.best().is_none() {
        worst.update(*a, cell);
    }
}

fn main() {}
