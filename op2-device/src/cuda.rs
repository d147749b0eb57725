//! NVIDIA GPUs: the driver, which launches, and NVRTC, which compiles. A second vendor gets a module beside this one.

mod gpu;
pub mod nvrtc;

pub use gpu::{gpu, gpu_with};
