//! First stage: tokens to resolved structures.

pub mod alike;
pub mod declared;
pub mod file;
pub mod kernel;
pub mod loop_decl;
