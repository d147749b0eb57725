//! Declarations that are no records.
#[op2::record]
struct Kept<'a> {
    rho: &'a f64,
}

#[op2::record]
struct Borrowed {
    rho: &'static f64,
}

#[op2::record]
#[repr(packed)]
struct Packed {
    a: f64,
}

#[op2::record]
struct Pair(f64, f64);

#[op2::record]
struct Empty {}

#[op2::record]
struct Names {
    name: String,
    count: u128,
}

#[op2::record]
fn state() {}

#[op2::record(f64)]
struct Typed {
    a: f64,
}

#[op2::record]
struct Two<A, B> {
    a: A,
    b: B,
}

#[op2::record]
struct Many<const N: usize> {
    a: [f64; N],
}

#[op2::alias]
struct State {
    a: f64,
}

#[op2::alias]
type Slice = [f64];

fn main() {}
