//! A module `f64` with functions of its own.

mod f64 {
    pub fn max(a: ::core::primitive::f64, _b: ::core::primitive::f64) -> ::core::primitive::f64 {
        a
    }
}

#[op2::kernel]
fn larger(a: &f64, b: &f64, c: &mut f64) {
    *c = f64::max(*a, *b);
}

fn main() {}
