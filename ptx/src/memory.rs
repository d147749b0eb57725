//! Memory of the device. Each allocation has a range of addresses of its own, far from all others, so that no access that misses one meets
//! another.

use crate::error::{Fault, Range};
use crate::marks::{Access, Mark, Seen};
use crate::order::{Order, Past};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the addresses of shared and local memory begin among those of all memory, those of allocations, and those of modules'
/// variables. Below are the host's.
pub(crate) const SHARED: u64 = 1 << 62;
pub(crate) const LOCAL: u64 = 1 << 61;
const DEVICE: u64 = 1 << 60;
const VARIABLE: u64 = 1 << 59;
/// Bits of an address inside of an allocation; those above number it, and those above these the context.
const BITS: u32 = 32;
const NUMBERS: u32 = 20;
const CONTEXTS: u64 = 1 << 7;
/// Bytes of each mark, unless accesses are smaller.
const GRAIN: usize = 8;

/// All allocations of a context.
pub(crate) struct Memory {
    /// The address of the first one.
    start: u64,
    allocations: Vec<Option<Allocation>>,
    /// Of modules and of the host, by address.
    others: BTreeMap<u64, Allocation>,
    used: usize,
}

/// An address that is nobody's yet, for a variable.
pub(crate) fn reserve() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    VARIABLE | NEXT.fetch_add(1, Ordering::Relaxed) << BITS
}

impl Memory {
    pub(crate) fn new(context: u64) -> Self {
        let start = DEVICE | (context % CONTEXTS) << (BITS + NUMBERS);
        Memory { start, allocations: Vec::new(), others: BTreeMap::new(), used: 0 }
    }

    /// New memory, and its address; `None` if there are no more addresses. Like a GPU's it holds anything.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Option<u64> {
        let number = self.allocations.len() as u64;
        if number >> NUMBERS != 0 || bytes as u64 >> BITS != 0 {
            return None;
        }
        self.allocations.push(Some(Allocation::new(bytes)));
        self.used += bytes;
        Some(self.start | number << BITS)
    }

    /// Memory for a variable at an address that is reserved. Says whether there was none yet.
    pub(crate) fn place(&mut self, address: u64, bytes: &[u8]) -> bool {
        let is_new = !self.others.contains_key(&address);
        if is_new {
            let mut allocation = Allocation::new(bytes.len());
            allocation.bytes.copy_from_slice(bytes);
            allocation.fill(0, bytes.len());
            self.others.insert(address, allocation);
        }
        is_new
    }

    /// Memory of the host that kernels reach, at its own address. The program writes it, so that all of it counts as written.
    pub(crate) fn allocate_on_host(&mut self, bytes: usize) -> u64 {
        let mut allocation = Allocation::new(bytes);
        allocation.fill(0, bytes);
        let address = allocation.bytes.as_mut_ptr() as u64;
        self.others.insert(address, allocation);
        address
    }

    /// Frees an allocation. Says whether there was one at the address.
    pub(crate) fn free(&mut self, address: u64) -> bool {
        let inside = address & ((1 << BITS) - 1);
        let found = self.entry(address).filter(|_| inside == 0).and_then(Option::take);
        self.used -= found.as_ref().map_or(0, |allocation| allocation.bytes.len());
        found.is_some()
    }

    /// The same of a variable, or of memory of the host.
    pub(crate) fn free_other(&mut self, address: u64) -> bool {
        self.others.remove(&address).is_some()
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

    /// The same, which the host or another kind of copy writes.
    pub(crate) fn bytes_to_fill(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (allocation, offset) = self.find(address)?;
        let range = offset..offset.checked_add(bytes)?;
        allocation.bytes.get(range.clone())?;
        allocation.fill(range.start, range.end);
        Some(&mut allocation.bytes[range])
    }

    /// Copies bytes of the device. What was not written stays so.
    pub(crate) fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Option<()> {
        let (source, offset) = self.find(from)?;
        let range = offset..offset.checked_add(bytes)?;
        let copied = source.bytes.get(range.clone())?.to_vec();
        let holes: Vec<usize> = range.filter(|at| source.written[at / 16] >> (at % 16) & 1 == 0).map(|at| at - offset).collect();
        self.bytes_to_fill(to, bytes)?.copy_from_slice(&copied);
        let (target, offset) = self.find(to)?;
        holes.into_iter().for_each(|at| target.written[(offset + at) / 16] &= !(1 << ((offset + at) % 16)));
        Some(())
    }

    /// The allocation at an address, and the place in it.
    #[inline]
    pub(crate) fn find(&mut self, address: u64) -> Option<(&mut Allocation, usize)> {
        if address & DEVICE != 0 {
            let inside = (address & ((1 << BITS) - 1)) as usize;
            return Some((self.entry(address)?.as_mut()?, inside));
        }
        let (start, allocation) = self.others.range_mut(..=address).next_back()?;
        let inside = usize::try_from(address - start).ok()?;
        (inside < allocation.bytes.len()).then_some((allocation, inside))
    }

    #[inline]
    fn entry(&mut self, address: u64) -> Option<&mut Option<Allocation>> {
        let number = (address ^ self.start) >> BITS;
        self.allocations.get_mut(number as usize)
    }
}

/// Memory of one purpose, with marks of those who have used it.
pub(crate) struct Allocation {
    pub(crate) bytes: Vec<u8>,
    marks: Vec<Mark>,
    /// Bytes of each mark.
    grain: usize,
    /// A bit for each byte that has ever been written.
    written: Vec<u16>,
}

impl Allocation {
    pub(crate) fn new(bytes: usize) -> Self {
        Allocation {
            bytes: vec![0xcd; bytes],
            marks: Vec::new(),
            grain: GRAIN,
            written: vec![0; bytes.div_ceil(16)],
        }
    }

    /// What was there before means nothing.
    pub(crate) fn forget(&mut self) {
        self.written.fill(0);
    }

    /// All bytes of a range are written.
    fn fill(&mut self, start: usize, end: usize) {
        for word in start / 16..end.div_ceil(16) {
            let (first, last) = (start.saturating_sub(16 * word), (end - 16 * word).min(16));
            self.written[word] |= (u16::MAX >> (16 - (last - first))) << first;
        }
    }

    /// Checks a read, and returns the bytes.
    #[inline]
    pub(crate) fn read(&mut self, range: Range, access: &Access, past: &Past) -> Result<&mut [u8], Fault> {
        let Range { offset, bytes, .. } = range;
        self.check(range)?;
        for mark in self.marks(offset, bytes) {
            if let Some(other) = mark.renew(access, false) {
                return Err(Fault::Early { access: "reads", range, other });
            }
            if mark.seen() == Seen::Pending {
                return Err(Fault::Pending { range });
            }
            if access.order == Order::Constant
                && let Some(other) = mark.writer()
            {
                return Err(Fault::NotConstant { range, other });
            }
            if let Some(other) = mark.read(access, past) {
                return Err(Fault::Race { range, access: "reads", other });
            }
        }
        if !self.is_written(range, access) {
            return Err(Fault::Unwritten { range });
        }
        Ok(&mut self.bytes[offset..offset + bytes])
    }

    /// Checks an atomic, and returns the bytes.
    pub(crate) fn exchange(&mut self, range: Range, access: &Access, past: &Past) -> Result<&mut [u8], Fault> {
        self.check(range)?;
        match self.is_written(range, access) {
            true => self.write(range, access, false, past),
            false => Err(Fault::Unwritten { range }),
        }
    }

    /// Whether all bytes have been written. Atomics that change a part of a word read and exchange the word around it, of which the rest
    /// may be nothing. An access is aligned, and has at most 16 bytes.
    #[inline]
    fn is_written(&self, Range { offset, bytes, .. }: Range, access: &Access) -> bool {
        let bits = (u16::MAX >> (16 - bytes)) << (offset % 16);
        let found = self.written[offset / 16] & bits;
        found == bits || access.once.at_once && found != 0
    }

    /// Checks a write, and returns the bytes; `pending` ones arrive later.
    #[inline]
    pub(crate) fn write(
        &mut self,
        range: Range,
        access: &Access,
        pending: bool,
        past: &Past,
    ) -> Result<&mut [u8], Fault> {
        let Range { offset, bytes, .. } = range;
        self.check(range)?;
        for mark in self.marks(offset, bytes) {
            if let Some(other) = mark.renew(access, true) {
                return Err(Fault::Early { access: "writes", range, other });
            }
            if let Some(other) = mark.write(access, pending, past) {
                return Err(Fault::Race { range, access: "writes", other });
            }
        }
        self.written[offset / 16] |= (u16::MAX >> (16 - bytes)) << (offset % 16);
        Ok(&mut self.bytes[offset..offset + bytes])
    }

    fn check(&self, range: Range) -> Result<(), Fault> {
        match range.offset.checked_add(range.bytes).is_some_and(|end| end <= self.bytes.len()) {
            true => Ok(()),
            false => Err(Fault::Outside { range, size: self.bytes.len() }),
        }
    }

    /// The marks of some bytes.
    #[inline]
    fn marks(&mut self, offset: usize, bytes: usize) -> &mut [Mark] {
        if self.marks.is_empty() {
            self.marks = vec![Mark::default(); self.bytes.len().div_ceil(self.grain)];
        }
        if bytes < self.grain {
            self.refine(if bytes < 4 { 1 } else { 4 });
        }
        &mut self.marks[offset / self.grain..(offset + bytes).div_ceil(self.grain)]
    }

    /// Makes marks of fewer bytes.
    #[cold]
    fn refine(&mut self, grain: usize) {
        let each = self.grain / grain;
        self.marks = self.marks.iter().flat_map(|mark| std::iter::repeat_n(*mark, each)).collect();
        self.grain = grain;
    }
}

#[cfg(test)]
mod tests;
