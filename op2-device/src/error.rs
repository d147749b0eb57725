//! Errors of machines, from compiling a text to reading its results.

use crate::panic::Panic;
use op2_core::EntryPoint;

/// Result with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program was built without a vendor's GPUs.
    #[error("this program was built without {vendor}: enable the feature `{feature}` of op2, or use the emulator")]
    NotBuilt {
        /// `CUDA`, `HIP`.
        vendor: &'static str,
        /// The feature that it lacks.
        feature: &'static str,
    },
    /// The program was built without the emulator.
    #[error("this program was built without the emulator: enable the feature `emulator` of `op2`")]
    NoEmulator,
    /// The environment asks for files in JSON, and the program was built without it.
    #[error(
        "{variable} needs the feature `json` of `op2`, which this program was built without: enable it, or unset the variable"
    )]
    NoJson {
        /// The variable of the environment.
        variable: &'static str,
    },
    /// There is no driver or no GPU.
    #[error("no GPU to run on: {reason}")]
    NoDevice {
        /// The requirement, and the finding.
        reason: String,
    },
    /// There is no compiler.
    #[error("{what} was not found: {cure}")]
    NoCompiler {
        /// `NVRTC`, `a C++ compiler`.
        what: &'static str,
        /// Where it was searched, and how to install it.
        cure: String,
    },
    /// The compiler refused the text: a bug of op2.
    #[error("`{name}` does not compile; this is a bug of op2, please report it with this text:\n{log}")]
    Compile {
        /// Name of the source.
        name: String,
        /// The compiler's message.
        log: String,
    },
    /// The text of a loop lacks a kernel that its strategy needs: a bug of op2.
    #[error("the text of loop `{name}` has no kernel for {entry:?}; this is a bug of op2, please report it")]
    NoKernel {
        /// Name of the source.
        name: String,
        /// The kernel.
        entry: EntryPoint,
    },
    /// The machine's memory is exhausted.
    #[error("no memory on {device} for {what}: it takes {bytes} bytes, {free} are free")]
    OutOfMemory {
        /// Name of the machine.
        device: String,
        /// The purpose of the memory.
        what: String,
        /// Bytes requested.
        bytes: usize,
        /// Bytes available.
        free: usize,
    },
    /// A kernel did not start, or did not finish.
    #[error("`{kernel}` failed on {device}: {reason}")]
    Launch {
        /// Name of the kernel.
        kernel: String,
        /// Name of the machine.
        device: String,
        /// The driver's message.
        reason: String,
    },
    /// A call of the driver failed.
    #[error("{call}: {reason}")]
    Driver {
        /// The purpose of the call.
        call: &'static str,
        /// The driver's message, with its number.
        reason: String,
    },
    /// A text could not be written to the folder that the environment names.
    #[error("cannot write `{path}`: {reason}; name a folder that can be written in {variable}, or unset it")]
    Dump {
        /// The file.
        path: String,
        /// The system's reason.
        reason: String,
        /// The variable of the environment.
        variable: &'static str,
    },
    /// A kernel did something that panics on a CPU. Only code with checks reports it, which
    /// [`cuda::Options::kernel_checks`](crate::cuda::Options) and [`Options::kernel_checks`](crate::Options) request.
    #[error("kernel `{kernel}`: element {element} {panic}")]
    Panic {
        /// Name of the kernel.
        kernel: String,
        /// The element, by its number in the text.
        element: u32,
        /// The operation.
        panic: Panic,
    },
    /// The emulator found a fault of the text: a bug of op2.
    #[error("{0}")]
    Fault(String),
}
