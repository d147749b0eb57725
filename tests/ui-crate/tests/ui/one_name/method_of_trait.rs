//! Traits in scope that have a method of a scalar's name for references.

pub trait Size {
    fn abs(&self) -> f64;
}

impl Size for f64 {
    fn abs(&self) -> f64 {
        0.0
    }
}

pub trait Root {
    fn sqrt(&mut self) -> f64;
}

impl Root for &f64 {
    fn sqrt(&mut self) -> f64 {
        1.0
    }
}

#[op2::kernel]
fn larger(a: &f64, b: &mut f64) {
    *b += a.abs() + a.sqrt() + (*a).sin() + a.cos();
}

#[op2::kernel]
fn values(a: &f64, b: &mut f64) {
    *b += (*a).abs();
    let c = *a;
    *b += c.sqrt();
}

fn main() {}
