//! Const parameters that are no lengths, and calls whose lengths do not fit or are not known.
use op2::Float;

const TABLE: [f64; 4] = [1.0; 4];

#[op2::device_fn]
fn flag<const UPWIND: bool>(x: &[f64; 2]) -> f64 {
    if UPWIND { x[0] } else { x[1] }
}

#[op2::device_fn]
fn power<const N: usize>(x: f64) -> f64 {
    let mut y = x;
    for _ in 1..N {
        y *= x;
    }
    y
}

#[op2::device_fn]
fn longer<const N: usize>(x: &[f64; N]) -> [f64; N + 1] {
    [x[0]; N + 1]
}

#[op2::device_fn]
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = a[0];
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

#[op2::device_fn]
fn ones<const N: usize>() -> [f64; N] {
    [1.0; N]
}

#[op2::device_fn]
fn fixed<const N: usize>(a: &[f64; N]) -> [f64; 3] {
    *a
}

#[op2::device_fn]
fn calls(a: &[f64; 2], b: &[f64; 3]) -> f64 {
    dot(a, b) + dot(b, b)
}

#[op2::device_fn]
fn of_a_table() -> f64 {
    dot(&TABLE, &TABLE)
}

#[op2::device_fn]
fn unknown() -> f64 {
    let x = ones();
    x[0]
}

#[op2::device_fn]
fn padded<const N: usize, const M: usize>(a: &[f64; M]) -> [f64; N] {
    let mut out = [0.0; N];
    for i in 0..M.min(N) {
        out[i] = a[i];
    }
    out
}

#[op2::device_fn]
fn one_of_two_is_unknown(a: &[f64; 2]) -> f64 {
    let x = padded(a);
    x[0]
}

#[op2::device_fn]
fn unstated(x: f64) -> f64 {
    power(x)
}

#[op2::device_fn]
fn stated<F: Float, const N: usize>(x: F) -> F {
    let mut y = x;
    for _ in 0..N {
        y *= x;
    }
    y
}

#[op2::device_fn]
fn too_many(x: f64) -> f64 {
    power::<2, 3>(x)
}

#[op2::device_fn]
fn of_the_wrong_kind(x: f64) -> f64 {
    power::<f64>(x)
}

#[op2::device_fn]
fn second_is_unstated(x: f64) -> f64 {
    stated::<f64, _>(x)
}

#[op2::device_fn]
fn of_another_length(a: &[f64; 2]) -> f64 {
    dot::<3>(a, a)
}

#[op2::device_fn]
fn no_length(x: f64) -> f64 {
    power::<[f64; 3]>(x)
}

#[op2::device_fn]
fn twice(x: f64) -> f64 {
    2.0 * x
}

#[op2::device_fn]
fn not_generic(x: f64) -> f64 {
    twice::<3>(x)
}

fn main() {}
