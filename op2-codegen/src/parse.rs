//! First stage: tokens to resolved structures.

pub mod alike;
pub mod kernel;
pub mod loop_decl;
pub mod record;
