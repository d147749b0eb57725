//! The resources of a multiprocessor that a kernel takes.

/// Resources that a kernel takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's local memory, including spilled registers.
    pub local: u32,
    /// Bytes of statically allocated shared memory of a block.
    pub shared: u32,
}
