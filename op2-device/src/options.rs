//! Options of the emulator. The emulator is a feature; these exist without it.

/// Options of the emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether accesses to memory, barriers and shuffles are checked.
    pub checks: bool,
    /// Seed of the random order of blocks and threads: runs with the same seed are the same.
    pub seed: u64,
    /// Bytes of memory that the machine has.
    pub memory: usize,
    /// Whether numbers that depend on the mesh are compiled in, as for a GPU. Every mesh is then compiled separately.
    pub folded: bool,
    /// Whether kernels report every operation that panics on a CPU, as [`Error::Panic`](crate::Error::Panic). An index
    /// beyond its array is always reported, and a `debug_assert!` that does not hold.
    pub kernel_checks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { checks: true, seed: 0, memory: usize::MAX, folded: false, kernel_checks: false }
    }
}
