//! The vocabulary that the generator and the run time of op2 share: the generator writes these words into
//! loops, and the run time acts on them. Macros are compiled against this crate, so it has no dependencies.

mod access;
mod literal;
mod strategy;
mod target;

pub use access::{Access, Combine, Effect};
pub use literal::Literal;
pub use strategy::{Reads, Resolution, Scheme, Wrapper};
pub use target::{EntryPoint, Target, float_definition, length_definition};
