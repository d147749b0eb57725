//! The attribute belongs on a function.
#[op2::kernel]
struct Clear {
    a: f64,
}

fn main() {}
