//! Traits of the user have methods that come before those of a record.
mod flow {
    #[op2::record(methods)]
    pub struct State {
        pub rho: f64,
    }

    #[op2::device_fn]
    impl State {
        pub fn twice(&self) -> f64 {
            2.0 * self.rho
        }

        pub fn thrice(self) -> f64 {
            3.0 * self.rho
        }

        pub fn scale(&mut self, by: f64) {
            self.rho *= by;
        }
    }
}

trait Before {
    fn twice(self) -> f64;
    fn thrice(self) -> f64;
    fn scale(&self, by: f64);
}

impl Before for flow::State {
    fn twice(self) -> f64 {
        0.0
    }
    fn thrice(self) -> f64 {
        0.0
    }
    fn scale(&self, _by: f64) {}
}

impl Before for &flow::State {
    fn twice(self) -> f64 {
        0.0
    }
    fn thrice(self) -> f64 {
        0.0
    }
    fn scale(&self, _by: f64) {}
}

#[op2::device_fn]
fn by_value(state: flow::State) -> f64 {
    state.twice() + state.thrice()
}

#[op2::device_fn]
fn by_reference(state: &flow::State) -> f64 {
    state.twice() + state.thrice()
}

#[op2::device_fn]
fn changed(mut state: flow::State) -> f64 {
    state.scale(2.0);
    state.rho
}

fn main() {}
