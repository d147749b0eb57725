//! The devices of this build, for those who open one: all names exist in every build.

use crate::device::Device;
use crate::error::Result;
use crate::options::Options;

/// Whether this build has devices. Without any, none is ever opened, and code for an open one need not be compiled: the compiler drops
/// what only a branch on this constant reaches.
pub const ANY: bool = cfg!(any(feature = "cuda", feature = "emulator", feature = "hip"));

/// The emulator of a GPU, which keeps compiled texts in the user's cache.
///
/// # Errors
/// [`Error::NoEmulator`](crate::Error::NoEmulator) without the feature `emulator`;
/// [`Error::NoCompiler`](crate::Error::NoCompiler) if there is no C++ compiler.
pub fn emulator(options: Options) -> Result<Box<dyn Device>> {
    #[cfg(feature = "emulator")]
    return Ok(Box::new(crate::emulator::Emulator::new(options)?));
    #[cfg(not(feature = "emulator"))]
    return {
        let _ = options;
        Err(crate::Error::NoEmulator)
    };
}
