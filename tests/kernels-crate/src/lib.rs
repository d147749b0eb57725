//! Kernels, device functions and constants as a library of them would have: the backends tests use
//! them from another crate.

use op2::{ArgMin, Float};

pub mod gas;
pub mod heat;
pub mod integers;
pub mod stretch;
pub mod taken;

op2::constants! {
    /// Factor of every [`spread`]; to be set before the first loop.
    pub static GAIN: f64;
}

/// Components of the values that [`scale`] takes.
pub const COMPONENTS: usize = 3;

/// Share of a contribution that goes to the second node of an edge.
pub const SHARE: f64 = 0.25;

/// Components of the values that [`stretch::stretch`] takes.
pub const STRETCHED: usize = 2;

/// Their factor.
pub const STRETCH: f64 = 2.0;

/// `x³`.
#[op2::device_fn]
pub fn cube<F: Float>(x: F) -> F {
    x * x * x
}

/// The weight of an edge: what a kernel of another crate may call as well.
#[op2::device_fn]
pub fn weighted(x: f64) -> f64 {
    GAIN.get() * cube(x)
}

/// Adds the weight of an edge to its two nodes.
#[op2::kernel]
pub fn spread(weight: &f64, left: &mut f64, right: &mut f64) {
    let whole = weighted(*weight);
    *left += whole;
    *right -= SHARE * whole;
}

/// Multiplies the components by their positions, counted from 1.
#[op2::kernel]
pub fn scale<F: Float>(value: &mut [F; COMPONENTS]) {
    let mut factor = F::lit(1.0);
    for c in 0..COMPONENTS {
        value[c] *= factor;
        factor += F::lit(1.0);
    }
}

/// The smallest value and the element that has it.
#[op2::kernel]
pub fn smallest<F: Float>(value: &F, element: u32, best: &mut ArgMin<F, u32>) {
    best.update(*value, element);
}
