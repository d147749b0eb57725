//! NVIDIA GPUs: the driver, which launches, and NVRTC, which compiles.

#[cfg(feature = "cuda")]
mod driver;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;

pub use crate::compile_options::Options;

use crate::device::Device;
use crate::error::Result;

/// The GPU with this number, in the driver's order.
///
/// # Errors
/// [`Error::NotBuilt`](crate::Error::NotBuilt) without the feature `cuda`;
/// [`Error::NoDevice`](crate::Error::NoDevice) if there is no driver or no such GPU;
/// [`Error::NoCompiler`](crate::Error::NoCompiler) if there is no NVRTC for it.
pub fn gpu(ordinal: usize) -> Result<Box<dyn Device>> {
    gpu_with(ordinal, Options::default())
}

/// As [`gpu`], with options for the compiler.
///
/// # Errors
/// As [`gpu`].
pub fn gpu_with(ordinal: usize, options: Options) -> Result<Box<dyn Device>> {
    #[cfg(feature = "cuda")]
    return Ok(Box::new(crate::gpu::Gpu::open(&driver::NVIDIA, driver::properties, ordinal, options)?));
    #[cfg(not(feature = "cuda"))]
    return {
        let _ = (ordinal, options);
        Err(crate::Error::NotBuilt { vendor: "CUDA", feature: "cuda" })
    };
}
