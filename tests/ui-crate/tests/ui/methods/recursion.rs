//! Methods that call themselves, and methods that wait for a function that waits for them.
#[op2::record(methods)]
struct State {
    rho: f64,
}

#[op2::device_fn]
impl State {
    fn even(self, n: i32) -> bool {
        if n == 0 { true } else { self.odd(n - 1) }
    }

    fn odd(self, n: i32) -> bool {
        if n == 0 { false } else { self.even(n - 1) }
    }
}

#[op2::record(methods)]
struct Point {
    x: f64,
}

#[op2::device_fn]
impl Point {
    fn half(&self) -> Point {
        Point { x: halved(self) }
    }
}

#[op2::device_fn]
fn halved(point: &Point) -> f64 {
    0.5 * point.x
}

fn main() {}
