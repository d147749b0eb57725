//! Properties of the generated meshes.

mod common;
mod dual;
mod large;
mod plane;
mod refused;
mod shuffle;
mod space;
