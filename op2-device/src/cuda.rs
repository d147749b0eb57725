//! NVIDIA GPUs: the driver, which launches, and NVRTC, which compiles. A second vendor gets a module beside this one.

mod gpu;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;
mod options;

pub use gpu::{gpu, gpu_with};
pub use options::Options;
