//! AMD's GPUs: texts of CUDA for HIP's compilers. A prologue (`op2_hip.cuh`) defines what the texts use of CUDA by clang's builtins, so
//! there is one text for both vendors.
//!
//! [`gpu`] compiles them by ROCm's library hiprtc and launches them by HIP, as [`cuda`](crate::cuda) does by NVRTC and the driver; both
//! libraries are loaded at run time. No AMD GPU has run any of this yet: texts were compiled by clang and by hiprtc, and the rest was tried
//! with stand-ins for both libraries.

#[cfg(feature = "hip")]
mod driver;
#[cfg(feature = "hip")]
pub mod hiprtc;

use crate::device::Device;
use crate::error::Result;
use crate::language::cuda::OF_HIP;

pub use crate::compile_options::Options;

/// The GPU with this number, in HIP's order.
///
/// # Errors
/// [`Error::NotBuilt`](crate::Error::NotBuilt) without the feature `hip`;
/// [`Error::NoDevice`](crate::Error::NoDevice) if there is no ROCm or no such GPU;
/// [`Error::NoCompiler`](crate::Error::NoCompiler) if there is no hiprtc.
pub fn gpu(ordinal: usize) -> Result<Box<dyn Device>> {
    gpu_with(ordinal, Options::default())
}

/// As [`gpu`], with options for the compiler.
///
/// # Errors
/// As [`gpu`].
pub fn gpu_with(ordinal: usize, options: Options) -> Result<Box<dyn Device>> {
    #[cfg(feature = "hip")]
    return Ok(Box::new(crate::gpu::Gpu::open(&driver::AMD, driver::properties, ordinal, options)?));
    #[cfg(not(feature = "hip"))]
    return {
        let _ = (ordinal, options);
        Err(crate::Error::NotBuilt { vendor: "HIP", feature: "hip" })
    };
}

/// A text of CUDA as HIP's compilers take it.
pub fn text(cuda: &str) -> String {
    [OF_HIP, cuda].concat()
}

/// Threads of a wave on an architecture, by its name: `gfx942`, or with features behind it, `gfx90a:xnack-`.
pub fn wave(arch: &str) -> u32 {
    // Those with two digits for the generation, from gfx10 on, have narrow waves.
    let digits = arch.trim_start_matches("gfx").split(':').next().map_or(0, str::len);
    if digits >= 4 { 32 } else { 64 }
}

/// The options of HIP's compilers, ROCm's library and clang, for an architecture with waves of `wave` threads.
pub fn flags(arch: &str, wave: u32, options: Options) -> Vec<String> {
    let contraction = if options.fmad { "on" } else { "off" };
    let mut flags = vec![
        format!("--offload-arch={arch}"),
        format!("-DOP2_WAVE={wave}"),
        format!("-ffp-contract={contraction}"),
        "-std=c++17".to_owned(),
        "-O3".to_owned(),
        // CUDA code may read words that were written as doubles.
        "-fno-strict-aliasing".to_owned(),
        // Atomic additions by the hardware, which ignores them in memory of the host. op2 gives kernels memory of the GPU only.
        "-munsafe-fp-atomics".to_owned(),
    ];
    if options.kernel_checks {
        flags.push("-DOP2_KERNEL_CHECKS".to_owned());
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_differ_in_the_width_of_waves() {
        let wide = ["gfx906", "gfx90a", "gfx90a:sramecc+:xnack-", "gfx942"];
        assert_eq!(wide.map(wave), [64; 4]);
        assert_eq!(["gfx1030", "gfx1100", "gfx1201:xnack-"].map(wave), [32; 3]);
    }
}
