//! The languages of targets: all that stands ahead of a generated text. Another target is a module beside [`cuda`] and a
//! line in [`language`].

pub mod cuda;

use op2_core::{Literal, Target};

/// How texts of a target begin.
pub(crate) struct Language {
    /// Precedes every text: the types and functions of the kernel language, and the building blocks of the loops around a kernel.
    pub(crate) header: &'static str,
    /// Defines constants by name.
    pub(crate) constants: fn(&[(String, Literal)]) -> String,
    /// A text with the kernel `copy` of two arrays and a number of units of 16 bytes.
    pub(crate) copy: &'static str,
    /// Of names of files.
    pub(crate) extension: &'static str,
}

/// The language of a target.
pub(crate) const fn language(target: Target) -> &'static Language {
    match target {
        Target::Cuda => &cuda::LANGUAGE,
    }
}
