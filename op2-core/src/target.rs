//! Targets beside the host, and the kernels of a text for one.

use crate::Wrapper;

/// A language that the generator emits and devices compile. To add one, write an emitter in the generator and a device that names it,
/// and add a row here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// CUDA C++: NVIDIA's GPUs, and the emulator.
    Cuda,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 1] = [Target::Cuda];

    /// The name of its variant, for generated code.
    pub const fn variant(self) -> &'static str {
        match self {
            Target::Cuda => "Cuda",
        }
    }
}

/// A kernel of the device text of a loop. The generator records the name that the text gives it, and the run time looks
/// the name up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryPoint {
    /// Runs elements of the loop.
    Loop(Wrapper),
    /// Runs the elements outside of all pairs; the threads of a block share the partners of one element.
    Shared,
    /// Runs the elements outside of all pairs, a thread for each.
    Single,
    /// Adds redirected contributions to the targets of the view with this number.
    Gather(usize),
}

/// The definition by which a text knows float type parameter `n` of its kernel.
pub fn float_definition(n: usize) -> String {
    match n {
        0 => "OP2_FLOAT".to_owned(),
        n => format!("OP2_FLOAT{n}"),
    }
}

/// The definition by which a text knows const parameter `n` of its kernel.
pub fn length_definition(n: usize) -> String {
    format!("OP2_LENGTH{n}")
}
