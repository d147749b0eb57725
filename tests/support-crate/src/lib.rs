//! Helpers that the tests of several packages share.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`skips`] | tests that leave themselves out for want of a tool, and say so |
//! | [`outputs`] | checks of a program's options, messages and files |

pub mod outputs;
pub mod skips;

pub use skips::has_cxx;
