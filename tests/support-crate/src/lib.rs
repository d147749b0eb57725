//! Helpers that the tests of several packages share.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`skips`] | tests that are skipped because a tool is missing, and report it |
//! | [`outputs`] | checks of a program's options, messages and files |

#[cfg(feature = "outputs")]
pub mod outputs;
pub mod skips;

pub use skips::{device, has_cxx};
