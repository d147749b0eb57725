//! NVIDIA GPUs: cubins of NVRTC, launched by the driver.

#[cfg(feature = "cuda")]
mod context;
#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod driver;
#[cfg(feature = "cuda")]
mod graph;
#[cfg(feature = "cuda")]
mod module;
#[cfg(feature = "cuda")]
mod pinned;
#[cfg(feature = "cuda")]
mod queue;

use crate::cuda::options::Options;
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
    return Ok(Box::new(device::Gpu::open(ordinal, options)?));
    #[cfg(not(feature = "cuda"))]
    return {
        let _ = (ordinal, options);
        Err(crate::Error::NotBuilt)
    };
}
