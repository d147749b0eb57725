//! First stage: tokens to resolved structures.

pub mod alike;
pub mod declared;
pub mod implementation;
pub mod kernel;
pub mod loop_decl;
