//! The declaration does not say that there are methods, or there is none.
#[op2::record]
struct State {
    rho: f64,
}

#[op2::device_fn]
impl State {
    fn twice(&self) -> f64 {
        2.0 * self.rho
    }
}

#[op2::device_fn]
impl Unknown {
    fn one() -> f64 {
        1.0
    }
}

fn main() {}
