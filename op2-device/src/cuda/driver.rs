//! NVIDIA's driver, and the compiler for one GPU.

use super::nvrtc::{self, Nvrtc, flags};
use crate::compile_options::Options;
use crate::error::{Error, Result};
use crate::gpu::{Compile, Context, Properties, Slot, Vendor, property, version};
use crate::occupancy::Limits;
use crate::performance::Performance;
use std::ffi::c_int;

/// The vendor.
pub(super) static NVIDIA: Vendor = Vendor {
    slot: Slot::new(),
    is_hip: false,
    variable: "OP2_CUDA_DRIVER",
    libraries: &["libcuda.so.1"],
    whose: "the NVIDIA driver's",
    hides: "CUDA_VISIBLE_DEVICES",
    blocks: "CUDA_LAUNCH_BLOCKING=1",
    asks_for_shared: true,
};

// Values of `CUdevice_attribute`.
const KILOHERTZ: c_int = 13;
const MULTIPROCESSORS: c_int = 16;
const MEMORY_KILOHERTZ: c_int = 36;
const BUS_BITS: c_int = 37;
const CAPABILITY_MAJOR: c_int = 75;
const CAPABILITY_MINOR: c_int = 76;
const SINGLES_PER_DOUBLE: c_int = 87;
const SHARED_OPTIN: c_int = 97;

/// Threads of a warp.
const WARP: u32 = 32;

/// Asks about a GPU.
pub(super) fn properties(device: c_int, context: &Context, options: Options) -> Result<Properties> {
    let property = |which| context.done("asking for a property", property(device, which));
    let (major, minor) = (property(CAPABILITY_MAJOR)?, property(CAPABILITY_MINOR)?);
    let version = context.done("asking for the driver's version", version())?;
    Ok(Properties {
        performance: performance(&format!("sm_{major}{minor}"), |which| property(which).ok()),
        shared_per_block: property(SHARED_OPTIN)?,
        wave: WARP,
        compiler: Box::new(Compiler::new(major * 10 + minor, version, options)?),
    })
}

/// Performance, from clocks and widths. `None` if the architecture or one of these is unknown.
fn performance(arch: &str, attribute: impl Fn(c_int) -> Option<u32>) -> Option<Performance> {
    let limits = Limits::of(arch)?;
    let known = |which| attribute(which).filter(|value| *value > 0);
    let multiprocessors = known(MULTIPROCESSORS)?;
    let hertz = |kilohertz: u32| f64::from(kilohertz) * 1e3;
    let singles = f64::from(multiprocessors * limits.singles) * hertz(known(KILOHERTZ)?);
    // Memory transfers data twice per cycle.
    let bytes_per_cycle = 2.0 * f64::from(known(BUS_BITS)?) / 8.0;
    let bandwidth = bytes_per_cycle * hertz(known(MEMORY_KILOHERTZ)?);
    let doubles = singles / f64::from(known(SINGLES_PER_DOUBLE)?);
    Some(Performance { multiprocessors, limits, bandwidth, doubles, singles })
}

/// NVRTC for one GPU.
struct Compiler {
    nvrtc: Nvrtc,
    options: Options,
    /// The architecture to compile for.
    arch: String,
    /// Major and minor version of CUDA that the driver supports.
    driver: (u32, u32),
}

impl Compiler {
    /// The compiler for a GPU of this compute capability (90 for 9.0), with a driver of this version.
    fn new(capability: u32, driver: (u32, u32), options: Options) -> Result<Self> {
        let nvrtc = Nvrtc::load_for(driver.0)?;
        let arch = target(capability, &nvrtc.architectures()?).map_err(|cure| Error::NoCompiler {
            what: "an NVRTC for this GPU",
            cure: format!("{} is version {}.{} and {cure}", nvrtc.file(), nvrtc.version().0, nvrtc.version().1),
        })?;
        Ok(Compiler { nvrtc, options, arch, driver })
    }
}

impl Compile for Compiler {
    fn name(&self) -> &'static str {
        nvrtc::NAME
    }

    fn inputs(&self) -> Vec<(&'static str, String)> {
        let (major, minor) = self.nvrtc.version();
        vec![
            ("nvrtc", format!("{major}.{minor}")),
            ("build", self.nvrtc.build().to_owned()),
            ("flags", flags(&self.arch, self.options).join("\n")),
        ]
    }

    fn compile(&self, name: &str, text: &str) -> Result<Vec<u8>> {
        Ok(self.nvrtc.compile(name, text, &self.arch, self.options)?.image)
    }

    fn explained(&self, refusal: Error) -> Error {
        let ((compiled, minor), (major, known)) = (self.nvrtc.version(), self.driver);
        match refusal {
            Error::Driver { call, reason } if (compiled, minor) > (major, known) => Error::Driver {
                call,
                reason: format!(
                    "{reason}: it was compiled by NVRTC {compiled}.{minor}, and the driver knows CUDA up to \
                     {major}.{known}; install a newer driver, or an NVRTC of CUDA {major} and name it by `OP2_NVRTC`"
                ),
            },
            other => other,
        }
    }
}

/// The architecture to compile for. Machine code for exactly this GPU if the compiler supports it; else PTX for the
/// newest architecture that it supports, which the driver of a later GPU can compile.
fn target(capability: u32, known: &[u32]) -> Result<String, String> {
    if known.contains(&capability) {
        return Ok(format!("sm_{capability}"));
    }
    let list = || known.iter().map(|arch| format!("sm_{arch}")).collect::<Vec<_>>().join(", ");
    let older = known.iter().filter(|arch| **arch < capability).max();
    older.map(|arch| format!("compute_{arch}")).ok_or_else(|| {
        format!("compiles for {}, but the GPU is an sm_{capability}: name an older one by `OP2_NVRTC`", list())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_gpus_get_ptx_and_earlier_ones_an_answer() {
        let known = [75, 80, 86, 90];
        assert_eq!(target(90, &known).as_deref(), Ok("sm_90"));
        assert_eq!(target(75, &known).as_deref(), Ok("sm_75"));
        assert_eq!(target(100, &known).as_deref(), Ok("compute_90"));
        assert_eq!(target(89, &known).as_deref(), Ok("compute_86"));
        let old = target(70, &known).unwrap_err();
        assert!(old.contains("sm_70") && old.contains("sm_75, sm_80"), "{old}");
    }
}
