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
    /// Whether waves have 64 threads, as those of AMD's GPUs for computing, and not 32. Shuffles reach the threads of a wave.
    pub wide_waves: bool,
}

impl Options {
    /// Threads of a wave.
    #[cfg(feature = "emulator")]
    pub(crate) fn wave(&self) -> u32 {
        if self.wide_waves { 64 } else { 32 }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { checks: true, seed: 0, memory: usize::MAX, folded: false, kernel_checks: false, wide_waves: false }
    }
}
