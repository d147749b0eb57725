//! `self` by a reference that does not fit what the method does.
#[op2::record(methods)]
struct State {
    rho: f64,
}

#[op2::device_fn]
impl State {
    fn twice(&mut self) -> f64 {
        2.0 * self.rho
    }

    fn clear(&self) {
        self.rho = 0.0;
    }
}

fn main() {}
