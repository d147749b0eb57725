//! A module inside the library: its kernel calls a private function and one of the crate's root.

use op2::Float;

/// Conductivity of every edge.
pub const CONDUCTIVITY: f64 = 0.75;

/// Exchanges heat between the nodes of an edge, in proportion to the cube of their difference.
#[op2::kernel]
pub fn exchange<F: Float>(temperature: [&F; 2], flow: [&mut F; 2]) {
    let flux = through(*temperature[0], *temperature[1]);
    *flow[0] -= flux;
    *flow[1] += flux;
}

#[op2::device_fn]
fn through<F: Float>(a: F, b: F) -> F {
    F::lit(CONDUCTIVITY) * super::cube(a - b)
}
