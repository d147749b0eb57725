//! HIP, and the compiler for one GPU.

use super::hiprtc::{self, Hiprtc};
use super::{flags, text};
use crate::compile_options::Options;
use crate::error::{Error, Result};
use crate::gpu::{
    Compile, Context, Properties, Slot, Vendor, hipGetDeviceProperties, hipGetDevicePropertiesR0600, property,
};
use crate::performance::Performance;
use std::ffi::c_int;

/// The vendor.
pub(super) static AMD: Vendor = Vendor {
    slot: Slot::new(),
    is_hip: true,
    variable: "OP2_HIP_DRIVER",
    libraries: &[
        "libamdhip64.so.7",
        "libamdhip64.so.6",
        "libamdhip64.so.5",
        "libamdhip64.so",
        "/opt/rocm/lib/libamdhip64.so",
    ],
    whose: "ROCm's",
    hides: "HIP_VISIBLE_DEVICES",
    blocks: "AMD_SERIALIZE_KERNEL=3",
    // A block gets all 64 KiB.
    asks_for_shared: false,
};

// Values of `hipDeviceAttribute_t`, the same in versions 5 and 6.
const MULTIPROCESSORS: c_int = 63;
const SHARED_PER_BLOCK: c_int = 74;
const WAVE: c_int = 87;

/// Asks about a GPU.
pub(super) fn properties(device: c_int, context: &Context, options: Options) -> Result<Properties> {
    let property = |which| context.done("asking for a property", property(device, which));
    let arch = arch(device, context)?;
    // The name of the architecture stands ahead of its features.
    let of_arch = Performance::of(arch.split(':').next().unwrap_or_default());
    let multiprocessors = property(MULTIPROCESSORS)?;
    let wave = property(WAVE)?;
    Ok(Properties {
        performance: of_arch.map(|of_arch| Performance { multiprocessors, ..of_arch }),
        shared_per_block: property(SHARED_PER_BLOCK)?,
        wave,
        compiler: Box::new(Compiler { hiprtc: Hiprtc::load()?, flags: flags(&arch, wave, options) }),
    })
}

/// Bytes that hold `hipDeviceProp_t` of any version: those so far have 792 and 1472.
const PROPERTIES: usize = 8192;
/// Bytes of the name at its start.
const NAME: usize = 256;

/// The name of a GPU's architecture with its features, such as `gfx90a:sramecc+:xnack-`. It is in a structure whose layout differs between
/// versions of HIP. So this looks for it behind the GPU's name, where no other text is that begins so.
fn arch(device: c_int, context: &Context) -> Result<String> {
    let mut properties = vec![0_u64; PROPERTIES / size_of::<u64>()];
    let to = properties.as_mut_ptr().cast();
    // SAFETY: the functions write fewer bytes than there are, at an address that is aligned for any of their fields. The second one is for
    // versions without the first.
    let asked = unsafe { hipGetDevicePropertiesR0600(to, device).or_else(|_| hipGetDeviceProperties(to, device)) };
    context.done("asking for the architecture", asked)?;
    let bytes: Vec<u8> = properties.iter().flat_map(|word| word.to_ne_bytes()).skip(NAME).collect();
    found(&bytes).ok_or_else(|| Error::NoDevice { reason: "HIP does not tell the GPU's architecture".to_owned() })
}

/// The text in these bytes that begins as the names of architectures do.
fn found(bytes: &[u8]) -> Option<String> {
    let start = bytes.windows(3).position(|word| word == b"gfx")?;
    let text = bytes[start..].split(|&byte| byte == 0).next()?;
    String::from_utf8(text.to_vec()).ok()
}

/// ROCm's compiler for one GPU.
struct Compiler {
    hiprtc: Hiprtc,
    flags: Vec<String>,
}

impl Compile for Compiler {
    fn name(&self) -> &'static str {
        hiprtc::NAME
    }

    fn inputs(&self) -> Vec<(&'static str, String)> {
        let (major, minor) = self.hiprtc.version();
        vec![
            ("hiprtc", format!("{major}.{minor}")),
            ("build", self.hiprtc.build().to_owned()),
            ("flags", self.flags.join("\n")),
        ]
    }

    fn written(&self, cuda: String) -> String {
        text(&cuda)
    }

    fn compile(&self, name: &str, text: &str) -> Result<Vec<u8>> {
        self.hiprtc.compile(name, text, &self.flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_architecture_is_found_wherever_it_is() {
        for start in [0, 140, 904] {
            let mut bytes = vec![0; 1216];
            bytes[start..][..23].copy_from_slice(b"gfx90a:sramecc+:xnack-\0");
            assert_eq!(found(&bytes).as_deref(), Some("gfx90a:sramecc+:xnack-"));
        }
        assert_eq!(found(&[0; 100]), None);
    }
}
