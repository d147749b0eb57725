//! Types that a library declares for kernels of other crates.

/// A length that only this module names.
const DIMENSIONS: usize = 2;

/// A vector.
#[op2::alias]
pub type Vector = [f64; DIMENSIONS];

/// Where an element lies.
#[op2::record]
pub enum Place {
    /// Inside.
    Inner = 1,
    /// At the border.
    Border,
}

/// A point of a flow.
#[op2::record]
pub struct Point<F> {
    /// The coordinate.
    pub x: F,
    /// The velocities at both ends.
    pub u: [F; DIMENSIONS],
}

/// All that is known of an element.
#[op2::record]
pub struct State {
    /// Its points.
    pub ends: [Point<f64>; DIMENSIONS],
    /// The momentum.
    pub momentum: Vector,
}

/// The sum over the points.
#[op2::device_fn]
pub fn total(state: &State) -> Point<f64> {
    let [a, b] = state.ends;
    Point { x: a.x + b.x, u: [a.u[0] + b.u[0], a.u[1] + b.u[1]] }
}

/// Adds the momentum to the velocities of inner elements.
#[op2::kernel]
pub fn push(place: &Place, state: &mut State) {
    if *place == Place::Inner {
        for end in state.ends.iter_mut() {
            for (u, m) in end.u.iter_mut().zip(state.momentum) {
                *u += m;
            }
        }
    }
}
