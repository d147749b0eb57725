//! The words for how a loop uses an argument, which the generator shares.

pub use op2_core::{Access, Combine};
