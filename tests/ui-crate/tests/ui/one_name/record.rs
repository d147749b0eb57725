//! A name that means a record by a glob import, and another type here.
mod flow {
    #[op2::record]
    pub struct State {
        pub rho: f64,
        pub p: f64,
    }
}
mod other {
    use super::flow::*;

    pub struct State {
        pub p: f64,
        pub rho: f64,
    }

    #[op2::device_fn]
    fn pressure(state: &State) -> f64 {
        state.p
    }
}

fn main() {}
