//! GPUs: machine code of a vendor's compiler library, launched by its driver.
//!
//! HIP has nearly all functions of CUDA's driver, with the same parameters, results and order of work. So one implementation calls both by
//! CUDA's names; `driver/functions.rs` lists HIP's beside them, and `Vendor` and `Properties` tell what else differs.

mod compiler;
mod context;
mod device;
mod driver;
mod module;
mod properties;

pub(crate) use compiler::Compile;
pub(crate) use context::Context;
pub(crate) use device::Gpu;
pub(crate) use driver::{Slot, Vendor};
#[cfg(feature = "hip")]
pub(crate) use driver::{hipGetDeviceProperties, hipGetDevicePropertiesR0600};
#[cfg(feature = "cuda")]
pub(crate) use properties::version;
pub(crate) use properties::{Properties, property};
