//! What must be known of a GPU before it can be used, and how to ask for it.

use super::compiler::Compile;
use super::context::Context;
use super::driver::{self, Answer};
use crate::compile_options::Options;
use crate::error::Result;
use crate::performance::Performance;
use std::ffi::c_int;

/// Asks a vendor's driver about a GPU, and finds the compiler for it.
pub(crate) type Ask = fn(c_int, &Context, Options) -> Result<Properties>;

/// In these, vendors differ.
pub(crate) struct Properties {
    pub(crate) performance: Option<Performance>,
    /// Bytes of shared memory that one block may have at most.
    pub(crate) shared_per_block: u32,
    /// Threads of a wave.
    pub(crate) wave: u32,
    pub(crate) compiler: Box<dyn Compile>,
}

/// A property of a GPU, by its number in the driver's list.
pub(crate) fn property(device: c_int, which: c_int) -> Answer<u32> {
    let mut value = 0;
    // SAFETY: the driver writes one number.
    unsafe { driver::cuDeviceGetAttribute(&mut value, which, device) }?;
    Ok(natural(value))
}

/// Major and minor version of CUDA that the driver supports.
#[cfg(feature = "cuda")]
pub(crate) fn version() -> Answer<(u32, u32)> {
    let mut version = 0;
    // SAFETY: the driver writes one number.
    unsafe { driver::cuDriverGetVersion(&mut version) }?;
    Ok((natural(version / 1000), natural(version % 1000 / 10)))
}

/// Counts and properties are never negative.
pub(crate) fn natural(value: c_int) -> u32 {
    value.try_into().unwrap_or(0)
}
