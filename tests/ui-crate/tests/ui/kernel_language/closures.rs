//! Closures elsewhere than where an array is made, and what a closure cannot do.
const TABLE: [f64; 4] = [1.0; 4];

#[op2::device_fn]
fn square(x: f64) -> f64 {
    x * x
}

#[op2::device_fn]
fn named(x: &[f64; 3]) -> [f64; 3] {
    let f = |v: f64| 2.0 * v;
    x.map(square)
}

#[op2::device_fn]
fn moved(x: &[f64; 3]) -> [f64; 3] {
    let mut sum = 0.0;
    x.map(move |v| {
        sum += v;
        sum
    })
}

#[op2::device_fn]
fn returns(x: &[f64; 3]) -> [f64; 3] {
    x.map(|v| {
        if v > 0.0 {
            return v;
        }
        -v
    })
}

#[op2::device_fn]
fn leaves(x: &[f64; 3]) -> [f64; 3] {
    let mut y = *x;
    for _ in 0..3 {
        y = y.map(|v| if v > 1.0 { break } else { v });
    }
    y
}

#[op2::device_fn]
fn pairs(x: &[f64; 3]) -> [f64; 3] {
    x.map(|i, v| v)
}

#[op2::device_fn]
fn scalar(x: &f64) -> f64 {
    x.map(|v| v)
}

#[op2::device_fn]
fn references(x: &[[f64; 2]; 2]) -> f64 {
    let first: [&f64; 2] = std::array::from_fn(|i| &x[i][0]);
    *first[0]
}

#[op2::device_fn]
fn unknown_length() -> f64 {
    let x = std::array::from_fn(|i| i as f64);
    x[0]
}

#[op2::device_fn]
fn unknown_table() -> f64 {
    TABLE.map(|v: f64| 2.0 * v)[0]
}

#[op2::device_fn]
fn types(x: &[f64; 3]) -> [f64; 3] {
    x.map(|v| v > 0.0)
}

fn main() {}
