//! The wrappers of a loop: how each one gets contributions to their targets.

use crate::ir::Combine;
use op2_core::Wrapper;

/// The end of a wrapper's name, behind that of the kernel and an underscore.
pub(super) fn suffix(wrapper: Wrapper) -> &'static str {
    match wrapper {
        Wrapper::Global => "global",
        Wrapper::Atomic => "atomic",
        Wrapper::Scatter => "scatter",
        Wrapper::Staged => "staged",
        Wrapper::StagedAtomic => "staged_atomic",
        Wrapper::Combined => "combined",
        Wrapper::Tiled => "tiled",
    }
}

/// The comment above a wrapper.
pub(super) fn comment(wrapper: Wrapper) -> &'static str {
    match wrapper {
        Wrapper::Global => "Everything in global memory, by plain loads and stores.",
        Wrapper::Atomic => "Everything in global memory, contributions by atomics.",
        Wrapper::Staged => "Blocks of one colour, with what they reach through maps in shared memory.",
        Wrapper::StagedAtomic => "All blocks at once, what they read in shared memory; contributions by atomics.",
        Wrapper::Combined => "All blocks at once, staged; contributions to what blocks share by atomics.",
        Wrapper::Tiled => "All blocks at once, staged; contributions to what is another block's too kept apart.",
        Wrapper::Scatter => "Everything in global memory, contributions through maps kept apart.",
    }
}

/// The name of a way of combining in the header.
pub(super) fn by(how: Combine) -> String {
    format!("op2::{}", how.variant())
}
