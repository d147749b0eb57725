//! Methods that a record lacks, or that are called in another way.
#[op2::record(methods)]
#[derive(Default)]
struct State {
    rho: f64,
}

#[op2::device_fn]
impl State {
    fn still(rho: f64) -> Self {
        State { rho }
    }

    fn twice(&self) -> f64 {
        2.0 * self.rho
    }

    fn scaled(self, by: f64) -> Self {
        State { rho: by * self.rho }
    }
}

#[op2::record]
struct Bare {
    rho: f64,
}

#[op2::device_fn]
fn misspelt(q: &State) -> f64 {
    q.twise()
}

#[op2::device_fn]
fn misspelt_function(q: &State) -> State {
    State::stil(q.rho)
}

#[op2::device_fn]
fn of_a_trait() -> State {
    State::default()
}

#[op2::device_fn]
fn function(q: &State) -> State {
    q.still(1.0)
}

#[op2::device_fn]
fn count(q: &State) -> State {
    q.scaled()
}

#[op2::device_fn]
fn types(q: &State) -> State {
    q.scaled(2)
}

#[op2::device_fn]
fn of_scalar(q: &State) -> f64 {
    q.rho.twice()
}

#[op2::device_fn]
fn of_another(q: &Bare, other: &State) -> f64 {
    q.twice() + other.twice()
}

#[op2::device_fn]
fn of_bare(q: &Bare) -> f64 {
    Bare::twice(q)
}

fn main() {}
