//! The meshes, by what is asked of them.

mod common;
mod dual;
mod large;
mod plane;
mod refused;
mod shuffle;
mod space;
