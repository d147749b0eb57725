//! What can go wrong between a text and its results.

use crate::panic::Panic;

/// Result with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong on a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program was built without GPUs.
    #[error("this program was built without CUDA: build it with `--features cuda`, or use the emulator")]
    NotBuilt,
    /// There is no driver, or no GPU.
    #[error("no GPU to run on: {reason}")]
    NoDevice {
        /// What was looked for, and what was found.
        reason: String,
    },
    /// There is no compiler.
    #[error("{what} was not found: {cure}")]
    NoCompiler {
        /// `NVRTC`, `a C++ compiler`.
        what: &'static str,
        /// Where it was looked for, and how to get it.
        cure: String,
    },
    /// The compiler refused the text: a bug of op2.
    #[error("`{name}` does not compile; this is a bug of op2, please report it with this text:\n{log}")]
    Compile {
        /// Name of the source.
        name: String,
        /// What the compiler said.
        log: String,
    },
    /// No memory left.
    #[error("no memory on {device} for {what}: it takes {bytes} bytes, {free} are free")]
    OutOfMemory {
        /// Name of the machine.
        device: String,
        /// What the memory was for.
        what: String,
        /// Bytes asked for.
        bytes: usize,
        /// Bytes left.
        free: usize,
    },
    /// A kernel did not start, or not end.
    #[error("`{kernel}` failed on {device}: {reason}")]
    Launch {
        /// Name of the kernel.
        kernel: String,
        /// Name of the machine.
        device: String,
        /// The driver's words.
        reason: String,
    },
    /// A call of the driver that failed.
    #[error("{call}: {reason}")]
    Driver {
        /// What was tried.
        call: &'static str,
        /// The driver's words, with its number.
        reason: String,
    },
    /// A text could not be written where the environment asked for it.
    #[error("cannot write `{path}`: {reason}; name a folder that can be written in {variable}, or unset it")]
    Dump {
        /// The file.
        path: String,
        /// The system's reason.
        reason: String,
        /// The variable of the environment.
        variable: &'static str,
    },
    /// A kernel did what stops it on a CPU; needs code with checks, which [`nvrtc::Options::kernel_checks`](crate::nvrtc::Options)
    /// and [`Options::kernel_checks`](crate::Options) ask for.
    #[error("kernel `{kernel}`: element {element} {panic}")]
    Panic {
        /// Name of the kernel.
        kernel: String,
        /// The element, by the number that the text gives it.
        element: u32,
        /// The operation.
        panic: Panic,
    },
    /// The emulator found a fault of the text: a bug of op2.
    #[error("{0}")]
    Fault(String),
}
