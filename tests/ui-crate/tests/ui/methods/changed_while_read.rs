//! Arguments that read what the method changes, where op2 cannot tell the order.
#[op2::record(methods)]
struct State {
    rho: f64,
}

#[op2::device_fn]
impl State {
    fn scale(&mut self, by: f64) {
        self.rho *= by;
    }

    fn rho(&mut self) -> &mut f64 {
        &mut self.rho
    }
}

#[op2::device_fn]
fn still(rho: f64) -> State {
    State { rho }
}

#[op2::device_fn]
fn indexed(states: &mut [State; 3], i: usize) {
    states[i].scale(states[0].rho);
}

#[op2::device_fn]
fn unnamed() -> f64 {
    *still(1.0).rho()
}

fn main() {}
