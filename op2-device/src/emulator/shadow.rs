//! Shadow memory: for every scalar, whether it was ever written, and who accessed it in this launch.
//!
//! A scalar remembers at most two accesses of each kind, which suffices. Blocks run one after the other, and the
//! threads of a block from barrier to barrier, so accesses come in order of time. An access that conflicts with any
//! earlier one of a kind also conflicts with one of these two. Where fences order blocks, this holds for the others only: a race
//! with a block that is not ordered may be missed if an ordered one has accessed the scalar, too.

use super::fences::Fences;
use super::who::Who;
use std::collections::HashMap;
use std::ops::Range;

/// A kind of access; `Access` in `op2_emulator.hpp` has the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Access {
    /// A plain read.
    Read = 0,
    /// A plain write.
    Write = 1,
    /// A read of data that others may change atomically.
    VolatileRead = 2,
    /// An atomic read and write.
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

/// Whether an access and an earlier one of another thread are not ordered.
fn is_beside(now: Who, earlier: Who, fences: &Fences) -> bool {
    let same_time = !now.is_same_moment(earlier) && now.barriers() == earlier.barriers();
    let unordered = if now.block == earlier.block { same_time } else { !fences.order(earlier, now) };
    earlier.is_somebody() && unordered
}

/// The reason why an access is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The byte was never written.
    Unwritten,
    /// Another thread accesses the byte.
    Race(Who, Access),
}

/// Earlier accesses to a scalar in one launch.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// The launch, or [`SPLIT`].
    generation: u32,
    write: Who,
    atomics: [Who; 2],
    reads: [Who; 2],
}

/// The generation of a cell whose bytes have separate cells.
const SPLIT: u32 = u32::MAX;

/// Shadow of a range of memory.
pub(super) struct Shadow {
    bytes: usize,
    /// Bytes of a cell are `1 << shift`.
    shift: u32,
    generation: u32,
    /// The last launch that accessed this memory.
    launch: u64,
    /// A bit for each byte.
    written: Vec<u64>,
    /// Allocated at the first access.
    cells: Box<[Cell]>,
    /// Separate cells for the bytes of scalars that were accessed in parts.
    split: HashMap<usize, Box<[Cell]>>,
}

impl Shadow {
    /// Whether there is memory for the shadow of `bytes` bytes. Frees it at once: the cells, the larger part, are
    /// allocated at the first access.
    pub(super) fn has_room(bytes: usize, granule: usize) -> bool {
        let (mut written, mut cells) = (Vec::<u64>::new(), Vec::<Cell>::new());
        written.try_reserve_exact(bytes.div_ceil(64)).is_ok()
            && cells.try_reserve_exact(bytes.div_ceil(granule.clamp(1, 8))).is_ok()
    }

    /// The shadow of memory that holds scalars of `granule` bytes.
    pub(super) fn new(bytes: usize, granule: usize) -> Self {
        let shift = granule.trailing_zeros().min(3);
        let cells = Box::default();
        let written = vec![0; bytes.div_ceil(64)];
        Shadow { bytes, shift, generation: 0, launch: 0, written, cells, split: HashMap::new() }
    }

    /// Forgets all accesses, which are ordered before all later ones. Scalars are no longer split.
    pub(super) fn begin(&mut self) {
        self.generation += 1;
        if self.generation == SPLIT {
            self.cells = Box::default();
            self.generation = 1;
        }
        self.split.clear();
    }

    /// The same, but only once for each launch.
    pub(super) fn begin_launch(&mut self, launch: u64) {
        if self.launch != launch {
            self.launch = launch;
            self.begin();
        }
    }

    /// Starts again as `bytes` bytes that were never written.
    pub(super) fn begin_unwritten(&mut self, bytes: usize) {
        if bytes > self.bytes {
            *self = Shadow { generation: self.generation, ..Shadow::new(bytes, 1 << self.shift) };
        }
        self.written.fill(0);
        self.begin();
    }

    /// Marks bytes as written.
    pub(super) fn mark_written(&mut self, bytes: Range<usize>) {
        for (word, mask) in words(bytes) {
            self.written[word] |= mask;
        }
    }

    /// Checks an access and remembers it.
    ///
    /// # Errors
    /// The first byte that must not be accessed, and the reason.
    pub(super) fn access(
        &mut self,
        bytes: Range<usize>,
        access: Access,
        who: Who,
        fences: &Fences,
    ) -> Result<(), (usize, Wrong)> {
        if self.cells.is_empty() {
            // SAFETY: a cell of zeros is a cell without accesses.
            self.cells = unsafe { Box::new_zeroed_slice(self.bytes.div_ceil(1 << self.shift)).assume_init() };
        }
        let size = 1 << self.shift;
        for cell in bytes.start >> self.shift..=(bytes.end - 1) >> self.shift {
            let start = cell << self.shift;
            let part = bytes.start.max(start)..bytes.end.min(start + size);
            let known = &mut self.cells[cell];
            if part.len() == size && (known.generation != SPLIT || !self.split.contains_key(&cell)) {
                known.touch(self.generation, access, who, fences).map_err(|wrong| (part.start, wrong))?;
            } else {
                self.access_bytes(cell, part, access, who, fences)?;
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
        fences: &Fences,
    ) -> Result<(), (usize, Wrong)> {
        let whole = &mut self.cells[cell];
        let bytes = self.split.entry(cell).or_insert_with(|| vec![*whole; 1 << self.shift].into());
        whole.generation = SPLIT;
        for byte in part {
            let race = bytes[byte - (cell << self.shift)].touch(self.generation, access, who, fences);
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

/// The indices of the 64-bit words that cover a range of bits, with the mask of each.
fn words(bits: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    (bits.start / 64..bits.end.div_ceil(64)).map(move |word| {
        let from = bits.start.saturating_sub(word * 64);
        let to = (bits.end - word * 64).min(64);
        (word, (!0 << from) & (!0 >> (64 - to)))
    })
}

impl Cell {
    #[inline]
    fn touch(&mut self, generation: u32, access: Access, who: Who, fences: &Fences) -> Result<(), Wrong> {
        if self.generation != generation {
            let (atomics, reads) = ([Who::NOBODY; 2], [Who::NOBODY; 2]);
            *self = Cell { generation, write: Who::NOBODY, atomics, reads };
        }
        let check = |others: &[Who], theirs: Access| {
            let beside = others.iter().find(|other| is_beside(who, **other, fences));
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
            // A conflicting plain write is found if it comes first, as it does in some of the random orders.
            Access::VolatileRead => {}
        }
        Ok(())
    }
}

/// Records an access of a kind. The first access of an earlier block stays, since it conflicts with everything that
/// follows. Otherwise two threads that accessed the scalar since the last barrier are kept.
fn remember(known: &mut [Who; 2], who: Who) {
    let [first, second] = known;
    if first.is_somebody() && first.block != who.block {
        return;
    }
    if first.is_same_moment(who) {
        // The same thread and time, but perhaps another element.
        first.element = who.element;
    } else if first.is_somebody() && first.barriers() == who.barriers() {
        *second = who;
    } else {
        *known = [who, Who::NOBODY];
    }
}

#[cfg(test)]
mod tests;
