//! What kernels cannot do with a row of any length.

use op2::Row;

#[op2::device_fn]
fn norm(x: &[f64; 3]) -> f64 {
    x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
}

#[op2::device_fn]
fn double(x: &mut [f64; 2]) {
    x[0] *= 2.0;
    x[1] *= 2.0;
}

#[op2::kernel]
fn passed_as_an_array(x: &Row<f64>, y: &mut f64) {
    *y = norm(x);
}

#[op2::kernel]
fn lent(x: &mut Row<[f64; 2]>) {
    double(&mut x[0]);
    let first = &mut x[1];
    first[0] = 1.0;
}

#[op2::kernel]
fn iterated(x: &Row<f64>, y: &mut f64) {
    for v in x.iter() {
        *y += *v;
    }
}

#[op2::kernel]
fn gone_over(x: &Row<f64>, y: &mut f64) {
    for v in x {
        *y += *v;
    }
}

#[op2::kernel]
fn changed(x: &mut Row<f64>) {
    for v in x.iter_mut() {
        *v = 0.0;
    }
}

#[op2::kernel]
fn summed(x: &Row<f64>, y: &mut f64) {
    *y = x.iter().sum();
}

#[op2::kernel]
fn copied(x: &Row<f64>, y: &mut Row<f64>) {
    *y = *x;
}

#[op2::kernel]
fn taken(x: &Row<f64>, y: &mut f64) {
    let whole = *x;
    *y = whole[0];
}

#[op2::kernel]
fn taken_apart(x: &Row<f64>, y: &mut f64) {
    let [first, second] = x;
    *y = *first + *second;
}

#[op2::kernel]
fn compared(x: &Row<f64>, y: &mut f64, z: &Row<f64>) {
    if *x == *z {
        *y = 1.0;
    }
}

#[op2::kernel]
fn swapped(x: &mut Row<f64>) {
    x.swap(0, 1);
}

#[op2::kernel]
fn mapped(x: &Row<f64>, y: &mut f64) {
    let squares = x.map(|v| v * v);
    *y = squares[0];
}

#[op2::kernel]
fn by_another_index(x: &Row<f64>, y: &mut f64, n: u32) {
    *y = x[n];
}

#[op2::kernel]
fn unknown(x: &Row<f64>, y: &mut f64) {
    *y = x.first();
}

#[op2::kernel]
fn shared(x: &Row<f64>) {
    x[0] = 1.0;
}

#[op2::kernel]
fn listed(x: &Row<f64>, y: &mut [f64; 3]) {
    *y = [0.0; x.len()];
}

#[op2::kernel]
fn cut(x: &Row<f64>, y: &mut f64) {
    *y = x[0..2];
}

fn main() {}
