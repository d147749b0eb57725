//! Another module of the name `array`, and a trait whose `map` comes first.
mod array {
    pub fn from_fn<T: Copy, const N: usize, F: Fn(usize) -> T>(f: F) -> [T; N] {
        [f(0); N]
    }
}

trait Mapped {
    fn map<F: Fn(f64) -> f64>(self, f: F) -> [f64; 3];
}

impl Mapped for &[f64; 3] {
    fn map<F: Fn(f64) -> f64>(self, f: F) -> [f64; 3] {
        [f(self[0]); 3]
    }
}

#[op2::device_fn]
fn made(x: &[f64; 3]) -> [f64; 3] {
    array::from_fn(|i| x[i])
}

#[op2::device_fn]
fn mapped(x: &[f64; 3]) -> [f64; 3] {
    x.map(|v| 2.0 * v)
}

fn main() {}
