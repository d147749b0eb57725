//! Sizes of launches, and structures as the generated code takes them.

use op2_device::Buffer;

const MOST_BLOCKS: usize = op2_device::MOST_BLOCKS as usize;

/// Blocks whose threads stride over `n` elements, and the threads of each, at most `most` in waves of `wave`.
pub(super) fn grid(n: usize, most: u32, wave: u32) -> (u32, u32) {
    let threads = threads(n, most, wave);
    (n.div_ceil(threads as usize).min(MOST_BLOCKS) as u32, threads)
}

/// As many of the blocks of `threads` threads as `resident` allows at once, such that their threads stride over `n` elements in rounds of
/// equal length: the blocks of a loop that reduces, where each costs a partial result.
pub(super) fn resident_grid(n: usize, threads: u32, resident: usize) -> u32 {
    let blocks = n.div_ceil(threads as usize);
    let rounds = blocks.div_ceil(resident.clamp(1, MOST_BLOCKS)).max(1);
    blocks.div_ceil(rounds) as u32
}

/// Threads for `n` elements, whole waves; a short loop needs no more.
pub(super) fn threads(n: usize, most: u32, wave: u32) -> u32 {
    n.next_multiple_of(wave as usize).clamp(wave as usize, most as usize) as u32
}

/// The bytes of a structure that is a parameter of the generated code: pointers first, then lengths, then numbers of 32 bits.
#[derive(Default)]
pub(super) struct Frame(pub(super) Vec<u8>);

impl Frame {
    pub(super) fn pointer(self, buffer: Option<&Buffer>) -> Self {
        self.address(buffer.map_or(0, Buffer::address))
    }

    pub(super) fn address(mut self, address: u64) -> Self {
        self.0.extend(address.to_ne_bytes());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_reduce_fill_the_device_evenly() {
        assert_eq!(resident_grid(0, 256, 1056), 0);
        assert_eq!(resident_grid(1, 256, 1056), 1);
        assert_eq!(resident_grid(256 * 1056, 256, 1056), 1056);
        assert_eq!(resident_grid(256 * 1056 + 1, 256, 1056), 529, "two rounds");
        assert_eq!(resident_grid(720_000, 256, 1056), 938, "three rounds");
        assert_eq!(resident_grid(usize::try_from(u32::MAX).unwrap(), 32, usize::MAX), 4096);
        assert_eq!(resident_grid(1000, 100, 0), 1, "nothing is known");
    }
}
