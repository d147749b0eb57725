//! Indices in the kernel language: opaque, without an order, made by nobody.

use op2::Idx;

op2::sets! { Verts }

#[op2::device_fn]
fn order(a: Idx<Verts>, b: Idx<Verts>) -> bool {
    a < b
}

#[op2::device_fn]
fn number(a: Idx<Verts>) -> u32 {
    a as u32 + 1
}

#[op2::device_fn]
fn next(a: Idx<Verts>) -> Idx<Verts> {
    a + 1
}

#[op2::device_fn]
fn without_asking(a: Option<Idx<Verts>>) -> Idx<Verts> {
    a
}

#[op2::device_fn]
fn unwrapped(a: Option<Idx<Verts>>) -> Idx<Verts> {
    a.unwrap()
}

#[op2::device_fn]
fn wrapped(a: f64) -> Option<f64> {
    Some(a)
}

#[op2::device_fn]
fn looked_up(a: Idx<Verts>, x: &[f64; 3]) -> f64 {
    x[a]
}

#[op2::kernel]
fn added(a: &mut [Idx<Verts>; 2]) {
    a[0] += a[1];
}

fn main() {}
