//! The variants of a loop: how each one gets contributions to their targets.

use crate::ir::Combine;

/// The wrappers that call the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    Global,
    Atomic,
    Staged,
    StagedAtomic,
    Combined,
    Tiled,
    Scatter,
}

impl Variant {
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Variant::Global => "global",
            Variant::Atomic => "atomic",
            Variant::Staged => "staged",
            Variant::StagedAtomic => "staged_atomic",
            Variant::Combined => "combined",
            Variant::Tiled => "tiled",
            Variant::Scatter => "scatter",
        }
    }

    pub(super) fn comment(self) -> &'static str {
        match self {
            Variant::Global => "Everything in global memory, by plain loads and stores.",
            Variant::Atomic => "Everything in global memory, contributions by atomics.",
            Variant::Staged => "Blocks of one colour, with what they reach through maps in shared memory.",
            Variant::StagedAtomic => "All blocks at once, what they read in shared memory; contributions by atomics.",
            Variant::Combined => "All blocks at once, staged; contributions to what blocks share by atomics.",
            Variant::Tiled => "All blocks at once, staged; contributions to what is another block's too kept apart.",
            Variant::Scatter => "Everything in global memory, contributions through maps kept apart.",
        }
    }

    pub(super) fn is_staged(self) -> bool {
        matches!(self, Variant::Staged | Variant::StagedAtomic | Variant::Combined | Variant::Tiled)
    }

    /// Whether contributions through maps go to arrays of their own.
    pub(super) fn redirects(self) -> bool {
        matches!(self, Variant::Tiled | Variant::Scatter)
    }
}

/// The name of a way of combining in the header.
pub(super) fn by(how: Combine) -> String {
    format!("op2::{}", how.variant())
}
