//! Names and comments of the wrappers of a loop.

use crate::ir::Combine;
use op2_core::Wrapper;

/// The class of the way in which blocks read their targets; the run time defines it.
pub(super) const READS: &str = "op2::OP2_READS";

/// The suffix of a wrapper's name, behind the kernel's name and an underscore.
pub(super) fn suffix(wrapper: Wrapper) -> &'static str {
    match wrapper {
        Wrapper::Global => "global",
        Wrapper::Atomic => "atomic",
        Wrapper::Scatter => "scatter",
        Wrapper::Staged => "staged",
        Wrapper::StagedAtomic => "staged_atomic",
        Wrapper::Combined => "combined",
        Wrapper::Tiled => "tiled",
        Wrapper::PerTarget => "per_target",
    }
}

/// The comment above a wrapper.
pub(super) fn comment(wrapper: Wrapper) -> &'static str {
    match wrapper {
        Wrapper::Global => "All data in global memory, by plain loads and stores.",
        Wrapper::Atomic => "All data in global memory, contributions by atomics.",
        Wrapper::Staged => "Blocks of one colour; what they change through maps is in shared memory.",
        Wrapper::StagedAtomic => "All blocks at once; contributions go by atomics.",
        Wrapper::Combined => "All blocks at once; contributions to targets of several blocks go by atomics.",
        Wrapper::Tiled => "All blocks at once; contributions to targets of other blocks are redirected.",
        Wrapper::Scatter => "All data in global memory; contributions through maps are redirected.",
        Wrapper::PerTarget => "A thread for each target runs all elements that contribute to it.",
    }
}

/// The header's name of a way to combine.
pub(super) fn by(how: Combine) -> String {
    format!("op2::{}", how.variant())
}
