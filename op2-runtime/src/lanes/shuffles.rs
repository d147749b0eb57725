//! Transposes pieces of rows into lanes and back, by the shuffles of x86-64.
//!
//! Rows are loaded into vectors in an order such that shuffles within 128 bits bring the floats of one component
//! together, in the order of the lanes.

mod double;
mod single;

pub(super) use double::{avx_f64, avx512_f64, sse_f64};
pub(super) use single::{avx_f32, avx512_f32, sse_f32, sse_f32_halves};
