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
#[op2::record(methods)]
pub struct Point<F> {
    /// The coordinate.
    pub x: F,
    /// The velocities at both ends.
    pub u: [F; DIMENSIONS],
}

#[op2::device_fn]
impl<F: op2::Float> Point<F> {
    /// The sum of two points.
    pub fn plus(&self, other: &Self) -> Self {
        Self { x: self.x + other.x, u: std::array::from_fn(|d| self.u[d] + other.u[d]) }
    }

    /// Moves it for a time.
    pub fn step(&mut self, time: F) {
        self.x += time * mean(&self.u) * F::lit(WEIGHT);
    }
}

/// Only this module knows it.
const WEIGHT: f64 = 0.5;

/// The mean of some values.
#[op2::device_fn]
fn mean<F: op2::Float, const N: usize>(values: &[F; N]) -> F {
    let mut sum = F::lit(0.0);
    for v in values {
        sum += *v;
    }
    sum * F::lit(1.0 / N as f64)
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
    a.plus(&b)
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
