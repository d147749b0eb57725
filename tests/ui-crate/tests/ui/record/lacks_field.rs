//! A record needs a value for every field, and a pattern names every field or ends with `..`.
#[op2::record]
struct State {
    rho: f64,
    u: [f64; 3],
    p: f64,
}

#[op2::device_fn]
fn rest(rho: f64) -> State {
    State { rho, rho: 1.0 }
}

#[op2::device_fn]
fn pressure(state: &State) -> f64 {
    let State { p } = state;
    *p
}

fn main() {}
