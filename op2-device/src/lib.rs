//! Devices that run the code which op2 generates for them.
//!
//! A [`Source`] is one translation unit, a [`Device`] compiles and launches it. There are three: [`cuda::gpu()`] gives an
//! NVIDIA GPU (compiled at run time by NVRTC, launched by the driver; needs the feature `cuda`), [`hip::gpu()`] one of AMD's (the feature
//! `hip`), [`emulator()`] runs the same text on the CPU and checks each of its accesses (the feature `emulator`). A further vendor is a
//! module beside [`cuda`]. Nothing in this crate knows of loops, maps or plans: they belong to `op2-runtime`.

mod bandwidth;
pub mod between;
mod compile_options;
pub mod cuda;
mod device;
#[cfg(feature = "emulator")]
mod emulator;
mod error;
mod estimate;
#[cfg(any(feature = "cuda", feature = "hip"))]
mod gpu;
pub mod hip;
pub mod language;
#[cfg(any(feature = "nvrtc", feature = "hip"))]
mod library;
#[cfg(any(feature = "cuda", feature = "emulator", feature = "hip"))]
mod log;
mod occupancy;
mod open;
mod options;
mod panic;
mod performance;
#[cfg(all(feature = "emulator", feature = "nvrtc"))]
mod registers;
mod resources;
#[cfg(any(feature = "nvrtc", feature = "hip"))]
mod rtc;
mod source;

pub use bandwidth::copy_gb_per_s;
pub use device::{Arg, Buffer, Device, Info, Launch, Mark, Memory, Module};
#[cfg(feature = "emulator")]
pub use emulator::Emulator;
pub use error::{Error, Result};
pub use estimate::{
    Adds, Estimate, Gathers, Join, LINE, MOST_BLOCKS, SECTOR, Sums, Trips, Waits, Work, least, seconds,
};
pub use occupancy::{Limits, occupancy};
pub use op2_core::{EntryPoint, Literal, Target};
pub use open::{ANY, emulator};
pub use options::Options;
pub use panic::Panic;
pub use performance::{Atomics, Cache, Cycles, KNOWN, Near, Performance, barrier};
pub use resources::Resources;
pub use source::{DUMP, Definition, Source};
