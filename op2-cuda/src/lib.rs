//! Machines that run the CUDA C++ that op2 generates.
//!
//! A [`Source`] is one translation unit, a [`Device`] compiles and launches it. There are two: [`gpu()`] gives an
//! NVIDIA GPU (compiled at run time by NVRTC, launched by the driver; needs the feature `cuda`), [`Emulator`] runs the
//! same text on the CPU and checks each of its accesses. Nothing in this crate knows of loops, maps or plans: they
//! belong to `op2-runtime`.

mod cache;
mod device;
mod emulator;
mod error;
mod estimate;
mod figures;
mod gpu;
mod library;
pub mod nvrtc;
mod occupancy;
mod panic;
mod resources;
mod source;

pub use cache::{Cache, Key, replace};
pub use device::{Arg, Buffer, Device, Info, Launch, Mark, Memory, Module};
pub use emulator::{Emulator, Options};
pub use error::{Error, Result};
pub use estimate::{Estimate, Work, least, rounds};
pub use figures::Figures;
pub use gpu::{gpu, gpu_with};
pub use occupancy::{Limits, occupancy};
pub use panic::Panic;
pub use resources::Resources;
pub use source::{DUMP, Definition, HEADER, Source};
