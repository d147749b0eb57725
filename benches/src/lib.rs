//! Parts that the benches of op2 share: samples and their spread, the goals of figures, rows for loops written by hand.
//!
//! The machines that these benches run on are shared and noisy. So every figure is a minimum, a median and a maximum
//! over rounds, and a ratio is taken inside a round, where its two sides run next to each other.

pub mod goals;
mod rows;
mod samples;
mod timing;

pub use goals::Goal;
pub use rows::Rows;
pub use samples::Samples;
pub use timing::{figure, quick, smoke};

/// The result of a bench.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
