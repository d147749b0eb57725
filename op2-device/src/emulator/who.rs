//! Threads of a launch, at moments between barriers.

/// The thread that accesses, and the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Who {
    /// The block.
    pub(super) block: u32,
    /// The thread of the block, and the number of barriers passed plus one, so that it is never 0.
    moment: u32,
    /// The thread's element.
    pub(super) element: u32,
}

const THREAD_BITS: u32 = 10;

impl Who {
    /// Stands for an access that never was.
    pub(super) const NOBODY: Who = Who { block: 0, moment: 0, element: 0 };

    /// A thread between two barriers. `barriers` of them were passed.
    pub(super) fn new(block: u32, thread: u32, barriers: u32, element: u32) -> Self {
        let barriers = (barriers + 1).min(u32::MAX >> THREAD_BITS);
        Who { block, moment: barriers << THREAD_BITS | thread, element }
    }

    /// The thread of the block.
    pub(super) fn thread(self) -> u32 {
        self.moment & ((1 << THREAD_BITS) - 1)
    }

    /// The number of barriers passed, plus one.
    pub(super) fn barriers(self) -> u32 {
        self.moment >> THREAD_BITS
    }

    /// Whether both are one thread of a block between the same barriers.
    pub(super) fn is_same_moment(self, other: Who) -> bool {
        self.moment == other.moment
    }

    /// Whether it is not [`Who::NOBODY`].
    pub(super) fn is_somebody(self) -> bool {
        self.moment != 0
    }
}
