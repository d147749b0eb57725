//! Sizes of launches, and structures as the generated code takes them.

use super::planned::MOST_THREADS;
use op2_device::Buffer;

/// Bytes of shared memory per slot in which the waves of a block combine their results: those of the most threads, where waves are
/// narrowest.
pub(super) const SCRATCH: usize = MOST_THREADS / 32 * size_of::<u64>();
/// The most blocks of a launch whose threads stride over the elements: enough to fill any device, and few enough to keep partial
/// results few.
const MOST_BLOCKS: usize = 4096;

/// Blocks whose threads stride over `n` elements, and the threads of each, at most `most` in waves of `wave`.
pub(super) fn grid(n: usize, most: u32, wave: u32) -> (u32, u32) {
    let threads = threads(n, most, wave);
    (n.div_ceil(threads as usize).min(MOST_BLOCKS) as u32, threads)
}

/// Threads for `n` elements, whole waves; a short loop needs no more.
pub(super) fn threads(n: usize, most: u32, wave: u32) -> u32 {
    n.next_multiple_of(wave as usize).clamp(wave as usize, most as usize) as u32
}

/// The bytes of a structure that is a parameter of the generated code: pointers first, then lengths, then numbers of 32 bits.
#[derive(Default)]
pub(super) struct Frame(pub(super) Vec<u8>);

impl Frame {
    pub(super) fn pointer(mut self, buffer: Option<&Buffer>) -> Self {
        self.0.extend(buffer.map_or(0, Buffer::address).to_ne_bytes());
        self
    }

    pub(super) fn length(mut self, x: f64) -> Self {
        self.0.extend(x.to_ne_bytes());
        self
    }

    /// Fills the last word of 8 bytes.
    pub(super) fn filled(mut self) -> Self {
        self.0.resize(self.0.len().next_multiple_of(size_of::<u64>()), 0);
        self
    }

    pub(super) fn number(mut self, n: usize) -> Self {
        // Sets have at most `u32::MAX` elements.
        self.0.extend((n as u32).to_ne_bytes());
        self
    }
}
