//! What is known of every scalar of memory: whether it was ever written, and who touched it in this launch.
//!
//! Of each kind of access a scalar remembers at most two, which is enough: blocks run one behind another, and the
//! threads of a block from barrier to barrier, so that time passes in one direction. If an access is in conflict
//! with any earlier one of a kind, it is with one of these two.

use std::collections::HashMap;
use std::ops::Range;

/// How memory is accessed; `Access` in `op2_emulator.hpp` has the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Access {
    /// Plain.
    Read = 0,
    /// Plain.
    Write = 1,
    /// A read that may be of what others change atomically.
    VolatileRead = 2,
    /// Reads and writes.
    Atomic = 3,
}

impl Access {
    /// The access with this number.
    pub(super) fn of(number: u32) -> Self {
        match number {
            0 => Access::Read,
            1 => Access::Write,
            2 => Access::VolatileRead,
            _ => Access::Atomic,
        }
    }
}

/// Who accesses, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Who {
    /// The block.
    pub(super) block: u32,
    /// Thread of the block, and the number of barriers before; never 0.
    moment: u32,
    /// The element that the thread is at.
    pub(super) element: u32,
}

const THREAD_BITS: u32 = 10;

impl Who {
    const NOBODY: Who = Who { block: 0, moment: 0, element: 0 };

    /// A thread between two barriers.
    pub(super) fn new(block: u32, thread: u32, barriers: u32, element: u32) -> Self {
        let barriers = (barriers + 1).min(u32::MAX >> THREAD_BITS);
        Who { block, moment: barriers << THREAD_BITS | thread, element }
    }

    /// The thread of the block.
    pub(super) fn thread(self) -> u32 {
        self.moment & ((1 << THREAD_BITS) - 1)
    }

    fn barriers(self) -> u32 {
        self.moment >> THREAD_BITS
    }

    fn is_somebody(self) -> bool {
        self.moment != 0
    }

    /// Whether nothing puts this before or behind the access of somebody else.
    fn is_beside(self, other: Who) -> bool {
        let same_time = self.moment != other.moment && self.barriers() == other.barriers();
        other.is_somebody() && (self.block != other.block || same_time)
    }
}

/// What is wrong with an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Nobody has written the byte.
    Unwritten,
    /// Somebody else accesses the byte.
    Race(Who, Access),
}

/// Earlier accesses to a scalar, of one launch.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// The launch, or [`SPLIT`].
    generation: u32,
    write: Who,
    atomics: [Who; 2],
    reads: [Who; 2],
}

/// The generation of a cell whose bytes are looked at one by one.
const SPLIT: u32 = u32::MAX;

/// Shadow of a range of memory.
pub(super) struct Shadow {
    bytes: usize,
    /// Bytes of a cell are `1 << shift`.
    shift: u32,
    generation: u32,
    /// The last launch with an access.
    launch: u64,
    /// One bit for each byte.
    written: Vec<u64>,
    /// Made at the first access.
    cells: Box<[Cell]>,
    /// Cells that were accessed in parts.
    split: HashMap<usize, Box<[Cell]>>,
}

impl Shadow {
    /// Whether there is memory for the shadow of `bytes` bytes. Nothing is kept: the cells, its larger part, are allocated at the
    /// first access.
    pub(super) fn has_room(bytes: usize, granule: usize) -> bool {
        let (mut written, mut cells) = (Vec::<u64>::new(), Vec::<Cell>::new());
        written.try_reserve_exact(bytes.div_ceil(64)).is_ok()
            && cells.try_reserve_exact(bytes.div_ceil(granule.clamp(1, 8))).is_ok()
    }

    /// Shadow of memory which holds scalars of `granule` bytes.
    pub(super) fn new(bytes: usize, granule: usize) -> Self {
        let shift = granule.trailing_zeros().min(3);
        let cells = Box::default();
        let written = vec![0; bytes.div_ceil(64)];
        Shadow { bytes, shift, generation: 0, launch: 0, written, cells, split: HashMap::new() }
    }

    /// Forgets who accessed what: from here on everything is behind that. Scalars are whole again.
    pub(super) fn begin(&mut self) {
        self.generation += 1;
        if self.generation == SPLIT {
            self.cells = Box::default();
            self.generation = 1;
        }
        self.split.clear();
    }

    /// The same, unless the launch with this number did so before.
    pub(super) fn begin_launch(&mut self, launch: u64) {
        if self.launch != launch {
            self.launch = launch;
            self.begin();
        }
    }

    /// Begins again as `bytes` bytes that nobody has written.
    pub(super) fn begin_unwritten(&mut self, bytes: usize) {
        if bytes > self.bytes {
            *self = Shadow { generation: self.generation, ..Shadow::new(bytes, 1 << self.shift) };
        }
        self.written.fill(0);
        self.begin();
    }

    /// Says that bytes have a value.
    pub(super) fn mark_written(&mut self, bytes: Range<usize>) {
        for (word, mask) in words(bytes) {
            self.written[word] |= mask;
        }
    }

    /// Looks at an access and remembers it.
    ///
    /// # Errors
    /// The first byte for which something is wrong.
    pub(super) fn access(&mut self, bytes: Range<usize>, access: Access, who: Who) -> Result<(), (usize, Wrong)> {
        if self.cells.is_empty() {
            // SAFETY: a cell of zeros is one that nobody has accessed.
            self.cells = unsafe { Box::new_zeroed_slice(self.bytes.div_ceil(1 << self.shift)).assume_init() };
        }
        let size = 1 << self.shift;
        for cell in bytes.start >> self.shift..=(bytes.end - 1) >> self.shift {
            let start = cell << self.shift;
            let part = bytes.start.max(start)..bytes.end.min(start + size);
            let known = &mut self.cells[cell];
            if part.len() == size && (known.generation != SPLIT || !self.split.contains_key(&cell)) {
                known.touch(self.generation, access, who).map_err(|wrong| (part.start, wrong))?;
            } else {
                self.access_bytes(cell, part, access, who)?;
            }
        }
        self.check_written(bytes, access)
    }

    fn access_bytes(
        &mut self,
        cell: usize,
        part: Range<usize>,
        access: Access,
        who: Who,
    ) -> Result<(), (usize, Wrong)> {
        let whole = &mut self.cells[cell];
        let bytes = self.split.entry(cell).or_insert_with(|| vec![*whole; 1 << self.shift].into());
        whole.generation = SPLIT;
        for byte in part {
            let race = bytes[byte - (cell << self.shift)].touch(self.generation, access, who);
            race.map_err(|wrong| (byte, wrong))?;
        }
        Ok(())
    }

    fn check_written(&mut self, bytes: Range<usize>, access: Access) -> Result<(), (usize, Wrong)> {
        for (word, mask) in words(bytes) {
            if access == Access::Write {
                self.written[word] |= mask;
                continue;
            }
            let missing = mask & !self.written[word];
            if missing != 0 {
                return Err((word * 64 + missing.trailing_zeros() as usize, Wrong::Unwritten));
            }
        }
        Ok(())
    }
}

/// Numbers of words of 64 bits, and the bits in each, that stand for a range.
fn words(bits: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    (bits.start / 64..bits.end.div_ceil(64)).map(move |word| {
        let from = bits.start.saturating_sub(word * 64);
        let to = (bits.end - word * 64).min(64);
        (word, (!0 << from) & (!0 >> (64 - to)))
    })
}

impl Cell {
    #[inline]
    fn touch(&mut self, generation: u32, access: Access, who: Who) -> Result<(), Wrong> {
        if self.generation != generation {
            let (atomics, reads) = ([Who::NOBODY; 2], [Who::NOBODY; 2]);
            *self = Cell { generation, write: Who::NOBODY, atomics, reads };
        }
        let check = |others: &[Who], theirs: Access| {
            let beside = others.iter().find(|other| who.is_beside(**other));
            beside.map_or(Ok(()), |other| Err(Wrong::Race(*other, theirs)))
        };
        check(&[self.write], Access::Write)?;
        if matches!(access, Access::Read | Access::Write) {
            check(&self.atomics, Access::Atomic)?;
        }
        if matches!(access, Access::Write | Access::Atomic) {
            check(&self.reads, Access::Read)?;
        }
        match access {
            Access::Read => remember(&mut self.reads, who),
            Access::Write => self.write = who,
            Access::Atomic => remember(&mut self.atomics, who),
            // A plain write by somebody else is found if it comes first, which it does in some of the random orders.
            Access::VolatileRead => {}
        }
        Ok(())
    }
}

/// Adds an access to those of its kind: the first of the launch if that was another block, which is in conflict with
/// everything from here on; otherwise two of different threads behind the last barrier.
fn remember(known: &mut [Who; 2], who: Who) {
    let [first, second] = known;
    if first.is_somebody() && first.block != who.block {
        return;
    }
    if first.moment == who.moment {
        // The same thread: nothing new, but the element may be.
        first.element = who.element;
    } else if first.is_somebody() && first.barriers() == who.barriers() {
        *second = who;
    } else {
        *known = [who, Who::NOBODY];
    }
}

#[cfg(test)]
mod tests;
