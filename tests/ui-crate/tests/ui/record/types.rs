//! Values of other types than the fields have, and operations that records lack.
#[op2::record]
struct Point<F> {
    x: F,
    y: F,
}

#[op2::record]
struct State {
    rho: f64,
    at: Point<f64>,
}

#[op2::device_fn]
fn one(x: f32) -> State {
    State { rho: 1.0, at: Point { x, y: 0.0 } }
}

#[op2::device_fn]
fn sum(a: State, b: State) -> State {
    a + b
}

#[op2::device_fn]
fn first(a: State) -> f64 {
    a.0
}

#[op2::device_fn]
fn second(a: Point) -> f64 {
    a.x
}

#[op2::device_fn]
fn third(a: State<f64>, b: f64) -> f64 {
    b.rho
}

fn main() {}
