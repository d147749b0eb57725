//! The meshes, by what is asked of them.

mod common;
mod large;
mod plane;
mod refused;
mod shuffle;
mod space;
