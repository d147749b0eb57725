//! A module `f64` with constants of its own.

mod f64 {
    pub mod consts {
        pub const PI: ::core::primitive::f64 = 3.0;
    }
}

#[op2::kernel]
fn turn(a: &mut f64) {
    *a += f64::consts::PI;
}

fn main() {}
