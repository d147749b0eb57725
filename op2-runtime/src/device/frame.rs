//! Sizes of launches, and structures as the generated code takes them.

use op2_device::Buffer;

/// Threads of a warp.
pub(super) const WARP: usize = 32;
/// The most blocks of a launch whose threads stride over the elements: enough to fill any device, and few enough to keep partial
/// results few.
const MOST_BLOCKS: usize = 4096;

/// Blocks whose threads stride over `n` elements, and the threads of each.
pub(super) fn grid(n: usize, most: u32) -> (u32, u32) {
    let threads = threads(n, most);
    (n.div_ceil(threads as usize).min(MOST_BLOCKS) as u32, threads)
}

/// Threads for `n` elements, whole warps; a short loop needs no more.
pub(super) fn threads(n: usize, most: u32) -> u32 {
    n.next_multiple_of(WARP).clamp(WARP, most as usize) as u32
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
