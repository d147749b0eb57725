//! Tables in the kernel language: asked by indices, and by nothing else.

use op2::{Idx, Table};

op2::sets! { Verts }

#[op2::device_fn]
fn by_number(x: &Table<Verts, f64>) -> f64 {
    x.at(3)
}

#[op2::device_fn]
fn indexed(x: &Table<Verts, f64>) -> f64 {
    x[0]
}

#[op2::device_fn]
fn of_none(v: Option<Idx<Verts>>, x: &Table<Verts, f64>) -> f64 {
    x.at(v)
}

#[op2::device_fn]
fn of_an_array(v: Idx<Verts>, x: &[f64; 3]) -> f64 {
    x.at(v)
}

#[op2::device_fn]
fn gone_over(x: &Table<Verts, f64>) -> f64 {
    let mut sum = 0.0;
    for value in x {
        sum += *value;
    }
    sum
}

#[op2::device_fn]
fn assigned(v: Idx<Verts>, x: &Table<Verts, [f64; 2]>) {
    x.at(v)[0] = 1.0;
}

fn main() {}
