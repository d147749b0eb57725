//! The vocabulary that the generator and the run time of op2 share: the generator writes these words into
//! loops, and the run time acts on them. Macros are compiled against this crate, so it has no dependencies.

mod access;
mod strategy;

pub use access::{Access, Combine, Effect};
pub use strategy::{Resolution, Scheme, Wrapper};
