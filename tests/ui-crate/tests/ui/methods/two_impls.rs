//! The methods of a record stand in one `impl`.
#[op2::record(methods)]
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
impl State {
    fn thrice(&self) -> f64 {
        3.0 * self.rho
    }
}

fn main() {}
