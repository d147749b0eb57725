//! Functions that are named as macros of the standard library.

/// A line, named as `line!`.
#[op2::device_fn]
pub fn line(x: f64) -> f64 {
    1.0 + crate::STRETCH * x
}

/// Writes, and is named as `write!`.
#[op2::kernel]
pub fn write(x: &mut f64) {
    *x = line(*x);
}
