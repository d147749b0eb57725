//! The static description of a loop that the macros leave for the run time.

use crate::access::Access;
use crate::constant::Captured;

/// A loop as the generator saw it: all that does not depend on the mesh.
pub struct LoopDesc {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Source file of the loop.
    pub file: &'static str,
    /// Line of the loop.
    pub line: u32,
    /// Floating-point operations per element, counted by the generator.
    pub flops: u32,
    /// The arguments in order.
    pub args: &'static [ArgDesc],
    /// The constants that the kernel and its device functions mention.
    pub captured: &'static Captured,
}

/// An argument of a loop.
#[derive(Debug)]
pub struct ArgDesc {
    /// The argument as the user wrote it, for messages.
    pub text: &'static str,
    /// What it is.
    pub kind: ArgKind,
    /// Present only if a flag holds.
    pub optional: bool,
}

/// Kinds of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgKind {
    /// A dat on the loop's own set.
    Direct(Access),
    /// A dat through one entry of a map.
    Indirect(Access),
    /// A dat through all entries of a map.
    AllEntries(Access),
    /// A global.
    Global(Access),
    /// The index of the element or of a mapped element.
    Index,
}
