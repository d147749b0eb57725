//! The languages of targets: headers, constants, and all else that depends on the language of a text. To add a target, write a
//! module beside [`cuda`] and add a line to the function `language`.

pub mod cuda;

#[cfg(any(feature = "cuda", feature = "hip", all(feature = "emulator", feature = "nvrtc")))]
use op2_cache::Key;
use op2_core::{Literal, Target};
#[cfg(any(feature = "cuda", feature = "hip", all(feature = "emulator", feature = "nvrtc")))]
use std::sync::OnceLock;

/// The parts of texts that depend on the target.
pub(crate) struct Language {
    /// Precedes every text: the types and functions of the kernel language, and the building blocks of the loops around a kernel.
    pub(crate) header: &'static str,
    /// Defines constants by name.
    pub(crate) constants: fn(&[(String, Literal)]) -> String,
    /// A text with the kernel `copy` of two arrays and a number of units of 16 bytes.
    pub(crate) copy: &'static str,
    /// A text with the kernels of [`between`](crate::between).
    pub(crate) between: &'static str,
    /// The extension of the names of dumped files.
    pub(crate) extension: &'static str,
}

/// Stands for the header of a language in keys of compiled texts: it is most of them, and would be hashed for each.
#[cfg(any(feature = "cuda", feature = "hip", all(feature = "emulator", feature = "nvrtc")))]
pub(crate) fn digest(target: Target) -> &'static Key {
    static CUDA: OnceLock<Key> = OnceLock::new();
    let known = match target {
        Target::Cuda => &CUDA,
    };
    known.get_or_init(|| Key::of(&[("header", language(target).header.as_bytes())]))
}

/// The language of a target.
pub(crate) const fn language(target: Target) -> &'static Language {
    match target {
        Target::Cuda => &cuda::LANGUAGE,
    }
}
