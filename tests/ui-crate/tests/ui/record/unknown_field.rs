//! A misspelt field of a record, read, made, and in a pattern.
#[op2::record]
struct State {
    rho: f64,
    velocity: [f64; 3],
}

#[op2::kernel]
fn weight(state: &State, w: &mut f64) {
    *w = state.rho * state.velocty[0];
}

#[op2::device_fn]
fn rest(rho: f64) -> State {
    State { rho, velocities: [0.0; 3] }
}

#[op2::device_fn]
fn density(state: State) -> f64 {
    let State { density, .. } = state;
    density
}

fn main() {}
