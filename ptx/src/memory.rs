//! Memory of the device. Each allocation has a range of addresses of its own, far from all others, so that no access that misses one meets
//! another. Accesses of one launch leave marks, by which threads that do not wait for each other are found.

use crate::error::{Fault, Space, Thread};
use crate::program::Order;

/// Where the addresses of shared and local memory begin among those of all memory.
pub(crate) const SHARED: u64 = 1 << 62;
pub(crate) const LOCAL: u64 = 1 << 61;
/// Bits of an address inside of an allocation; those above number it, from 1 on.
const BITS: u32 = 40;

/// All allocations.
#[derive(Default)]
pub(crate) struct Memory {
    allocations: Vec<Option<Allocation>>,
    used: usize,
}

impl Memory {
    /// New memory, and its address. Like a GPU's it holds anything.
    pub(crate) fn allocate(&mut self, bytes: usize) -> u64 {
        self.allocations.push(Some(Allocation::new(bytes)));
        self.used += bytes;
        (self.allocations.len() as u64) << BITS
    }

    /// Frees an allocation. Says whether there was one at the address.
    pub(crate) fn free(&mut self, address: u64) -> bool {
        let inside = address & ((1 << BITS) - 1);
        let found = self.entry(address).filter(|_| inside == 0).and_then(Option::take);
        self.used -= found.as_ref().map_or(0, |allocation| allocation.bytes.len());
        found.is_some()
    }

    /// Bytes of all allocations.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// The bytes at an address, if they are all in one allocation.
    pub(crate) fn bytes(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (allocation, offset) = self.find(address)?;
        allocation.bytes.get_mut(offset..offset.checked_add(bytes)?)
    }

    /// The allocation at an address, and the place in it.
    pub(crate) fn find(&mut self, address: u64) -> Option<(&mut Allocation, usize)> {
        let inside = (address & ((1 << BITS) - 1)) as usize;
        Some((self.entry(address)?.as_mut()?, inside))
    }

    fn entry(&mut self, address: u64) -> Option<&mut Option<Allocation>> {
        let number = usize::try_from(address >> BITS).ok()?.checked_sub(1)?;
        self.allocations.get_mut(number)
    }
}

/// Memory of one purpose, with marks of those who have used it.
pub(crate) struct Allocation {
    pub(crate) bytes: Vec<u8>,
    marks: Vec<Mark>,
    /// Bytes of each mark.
    grain: usize,
}

/// Who accesses memory, and when.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    /// Rises with every launch, or with every block for its shared memory: older marks mean nothing.
    pub(crate) stamp: u32,
    pub(crate) thread: Thread,
    /// Barriers that the block has passed.
    pub(crate) phase: u32,
    pub(crate) order: Order,
    pub(crate) space: Space,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    stamp: u32,
    writer: Option<Once>,
    reader: Option<Once>,
    /// Whether several threads of the reader's block have read in its phase, or several blocks.
    threads: bool,
    blocks: bool,
}

#[derive(Clone, Copy)]
struct Once {
    thread: Thread,
    phase: u32,
    at_once: bool,
}

impl Once {
    /// Whether nothing orders it before an access.
    fn meets(self, access: &Access) -> bool {
        let together = self.thread.block != access.thread.block || self.phase == access.phase;
        self.thread != access.thread && together && !(self.at_once && access.order == Order::AtOnce)
    }
}

impl Mark {
    /// A write; returns who has accessed the place without an order, and what it has done.
    fn write(&mut self, access: &Access) -> Option<(Thread, &'static str)> {
        let once = Once { thread: access.thread, phase: access.phase, at_once: access.order == Order::AtOnce };
        let reads = self.reader.filter(|reader| {
            let others =
                self.blocks || self.threads && (reader.thread.block, reader.phase) == (once.thread.block, once.phase);
            reader.meets(access) || others && !(reader.at_once && once.at_once)
        });
        let writes = self.writer.filter(|writer| writer.meets(access));
        self.writer = Some(once);
        writes.map(|once| (once.thread, "writes")).or(reads.map(|once| (once.thread, "reads")))
    }

    /// A read, in the same way.
    fn read(&mut self, access: &Access) -> Option<(Thread, &'static str)> {
        let once = Once { thread: access.thread, phase: access.phase, at_once: access.order == Order::AtOnce };
        match &mut self.reader {
            Some(reader) if reader.thread.block != once.thread.block => self.blocks = true,
            Some(reader) if reader.phase == once.phase && reader.thread != once.thread => self.threads = true,
            Some(reader) if reader.phase == once.phase => {}
            _ => (self.reader, self.threads) = (Some(once), false),
        }
        if let Some(reader) = &mut self.reader {
            reader.at_once &= once.at_once;
        }
        self.writer.filter(|writer| writer.meets(access)).map(|once| (once.thread, "writes"))
    }
}

impl Allocation {
    pub(crate) fn new(bytes: usize) -> Self {
        Allocation { bytes: vec![0xcd; bytes], marks: Vec::new(), grain: 4 }
    }

    /// Checks a read, and returns the bytes.
    pub(crate) fn read(&mut self, offset: usize, bytes: usize, access: &Access) -> Result<&[u8], Fault> {
        self.check(offset, bytes, access.space)?;
        for mark in self.marks(offset, bytes, access.stamp) {
            let of = |thread| Fault::Race {
                space: access.space,
                offset: offset as u64,
                bytes,
                access: "reads",
                before: "writes",
                other: thread,
            };
            if access.space == Space::Shared && mark.writer.is_none() {
                return Err(Fault::Unwritten { offset: offset as u64, bytes });
            }
            if access.order == Order::Constant
                && let Some(writer) = mark.writer
            {
                return Err(Fault::NotConstant { offset: offset as u64, bytes, other: writer.thread });
            }
            if let Some((thread, _)) = mark.read(access) {
                return Err(of(thread));
            }
        }
        Ok(&self.bytes[offset..offset + bytes])
    }

    /// Checks a write, and returns the bytes.
    pub(crate) fn write(&mut self, offset: usize, bytes: usize, access: &Access) -> Result<&mut [u8], Fault> {
        self.check(offset, bytes, access.space)?;
        for mark in self.marks(offset, bytes, access.stamp) {
            if let Some((other, before)) = mark.write(access) {
                return Err(Fault::Race {
                    space: access.space,
                    offset: offset as u64,
                    bytes,
                    access: "writes",
                    before,
                    other,
                });
            }
        }
        Ok(&mut self.bytes[offset..offset + bytes])
    }

    fn check(&self, offset: usize, bytes: usize, space: Space) -> Result<(), Fault> {
        match offset.checked_add(bytes).is_some_and(|end| end <= self.bytes.len()) {
            true => Ok(()),
            false => Err(Fault::Outside { space, offset: offset as u64, bytes, size: self.bytes.len() }),
        }
    }

    /// The marks of some bytes, without those of older launches.
    fn marks(&mut self, offset: usize, bytes: usize, stamp: u32) -> impl Iterator<Item = &mut Mark> {
        if self.marks.is_empty() {
            self.marks = vec![Mark::default(); self.bytes.len().div_ceil(self.grain)];
        }
        if self.grain > 1 && bytes < self.grain {
            let finer = self.marks.iter().flat_map(|mark| std::iter::repeat_n(*mark, self.grain)).collect();
            (self.marks, self.grain) = (finer, 1);
        }
        let marks = offset / self.grain..(offset + bytes).div_ceil(self.grain);
        self.marks[marks].iter_mut().map(move |mark| {
            if mark.stamp != stamp {
                *mark = Mark { stamp, ..Mark::default() };
            }
            mark
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn by(block: u32, thread: u32, phase: u32, order: Order) -> Access {
        Access { stamp: 1, thread: Thread { block, thread }, phase, order, space: Space::Global }
    }

    fn plain(block: u32, thread: u32, phase: u32) -> Access {
        by(block, thread, phase, Order::Plain)
    }

    #[test]
    fn what_is_in_no_allocation_is_not_found() {
        let mut memory = Memory::default();
        let (a, b) = (memory.allocate(16), memory.allocate(8));
        assert!(memory.bytes(a, 16).is_some() && memory.bytes(b + 4, 4).is_some());
        for (address, bytes) in [(a, 17), (a + 16, 1), (b - 1, 1), (0, 1), (u64::MAX, 2), (b + (1 << BITS), 1)] {
            assert!(memory.bytes(address, bytes).is_none(), "{address:#x}");
        }
        assert!(!memory.free(a + 8) && memory.free(a) && !memory.free(a));
        assert!(memory.bytes(a, 1).is_none());
        assert_eq!(memory.used(), 8);
    }

    #[test]
    fn threads_that_do_not_wait_for_each_other_race() {
        let fresh = || Allocation::new(32);
        let mut memory = fresh();
        memory.write(0, 8, &plain(0, 0, 0)).unwrap();
        assert!(memory.read(0, 8, &plain(0, 0, 0)).is_ok(), "a thread sees what it has written");
        assert!(matches!(memory.read(4, 4, &plain(0, 1, 0)), Err(Fault::Race { .. })));
        assert!(memory.read(0, 8, &plain(0, 1, 1)).is_ok(), "behind a barrier");
        assert!(matches!(memory.read(0, 8, &plain(1, 1, 1)), Err(Fault::Race { .. })), "blocks have none in common");
        let mut memory = fresh();
        memory.read(8, 4, &plain(0, 0, 0)).unwrap();
        memory.read(8, 4, &plain(0, 1, 0)).unwrap();
        assert!(
            matches!(memory.write(8, 4, &plain(0, 0, 0)), Err(Fault::Race { before: "reads", .. })),
            "another one has read"
        );
        let mut memory = fresh();
        memory.read(8, 4, &plain(0, 0, 0)).unwrap();
        memory.read(8, 4, &plain(1, 0, 0)).unwrap();
        assert!(memory.write(8, 4, &plain(0, 0, 5)).is_err());
        assert!(memory.write(12, 4, &plain(0, 0, 5)).is_ok(), "elsewhere");
        let next = Access { stamp: 2, ..plain(7, 7, 0) };
        assert!(memory.write(8, 4, &next).is_ok(), "in the next launch");
    }

    #[test]
    fn atomics_go_with_atomics_only() {
        let mut memory = Allocation::new(8);
        let at_once = |thread| by(thread, 0, 0, Order::AtOnce);
        memory.read(0, 4, &at_once(0)).unwrap();
        memory.write(0, 4, &at_once(0)).unwrap();
        memory.read(0, 4, &at_once(1)).unwrap();
        memory.write(0, 4, &at_once(1)).unwrap();
        assert!(memory.read(0, 4, &plain(2, 0, 0)).is_err());
        let mut memory = Allocation::new(8);
        memory.read(0, 4, &plain(2, 0, 0)).unwrap();
        assert!(memory.write(0, 4, &at_once(1)).is_err());
    }

    #[test]
    fn constants_do_not_change_and_bytes_are_apart() {
        let mut memory = Allocation::new(8);
        memory.write(0, 4, &plain(0, 0, 0)).unwrap();
        assert!(matches!(memory.read(0, 4, &by(0, 0, 3, Order::Constant)), Err(Fault::NotConstant { .. })));
        memory.write(4, 1, &plain(0, 0, 0)).unwrap();
        memory.write(5, 1, &plain(0, 1, 0)).unwrap();
        assert!(memory.write(5, 1, &plain(0, 2, 0)).is_err());
        let mut shared = Allocation::new(8);
        let access = Access { space: Space::Shared, ..plain(0, 0, 0) };
        assert_eq!(shared.read(0, 4, &access), Err(Fault::Unwritten { offset: 0, bytes: 4 }));
        assert!(matches!(shared.write(8, 4, &access), Err(Fault::Outside { .. })));
    }
}
