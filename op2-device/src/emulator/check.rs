//! Checks accesses: each must be inside of memory and allowed by the shadow of that memory.

use super::fault::{self, Culprit, Data, Problem};
use super::fences::Fences;
use super::library::Instance;
use super::memory::{MARGIN, Pool, Region};
use super::shadow::{Access, Shadow, Wrong};
use super::who::Who;
use std::ops::Range;

/// Checks the accesses of one launch.
pub(super) struct Checker<'a> {
    pool: &'a mut Pool,
    /// Number of the launch, among all of the pool.
    launch: u64,
    /// Buffers that were found recently, by the part of the address space that they are in.
    found: [Found; PLACES],
    /// The address of shared memory, its size in this launch, and its end in any launch.
    arena: u64,
    shared: u64,
    arena_end: u64,
    /// The addresses of the library's constants.
    image: Range<u64>,
    fences: Fences,
}

/// A buffer that was found by an address.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// Part of the address space.
    place: u64,
    /// Number of the only buffer that has bytes there.
    region: usize,
}

/// The number of places whose buffers a launch remembers.
const PLACES: usize = 64;

impl Found {
    const NOTHING: Found = Found { place: u64::MAX, region: 0 };

    /// A place is as large as a margin, so that no two buffers are in the same one.
    fn place(address: u64) -> u64 {
        address / MARGIN as u64
    }
}

/// The reason why an access is refused.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trouble {
    /// The address is not a multiple of the size.
    Misaligned,
    /// The access exceeds the block's shared memory.
    BeyondShared,
    /// The access is not inside of a buffer.
    Outside,
    /// The shadow refuses this byte, of a buffer or, without a number, of shared memory.
    Wrong { region: Option<usize>, byte: usize, wrong: Wrong },
}

impl<'a> Checker<'a> {
    /// For a launch whose blocks have `shared` bytes of shared memory.
    pub(super) fn new(pool: &'a mut Pool, instance: &Instance, shared: u32) -> Self {
        let launch = pool.begin_launch();
        let arena = instance.arena();
        let (shared, arena_end) = (u64::from(shared), arena + u64::from(super::SHARED_PER_BLOCK));
        let (found, image, fences) = ([Found::NOTHING; PLACES], instance.image(), Fences::default());
        Checker { pool, launch, found, arena, shared, arena_end, image, fences }
    }

    /// Begins another block.
    pub(super) fn begin_block(&mut self) {
        self.pool.arena.begin_unwritten(self.shared as usize);
        self.fences.begin_block();
    }

    /// Notes a fence of a thread.
    pub(super) fn fence(&mut self, who: Who) {
        self.fences.fence(who);
    }

    /// Checks an access that is about to happen.
    ///
    /// # Errors
    /// The access must not happen.
    pub(super) fn access(
        &mut self,
        address: u64,
        bytes: u64,
        access: Access,
        align: u32,
        who: Who,
    ) -> Result<(), Trouble> {
        if bytes == 0 {
            return Ok(());
        }
        if !address.is_multiple_of(u64::from(align)) {
            return Err(Trouble::Misaligned);
        }
        if (self.arena..self.arena_end).contains(&address) {
            let Some(range) = within(self.arena, self.shared, address, bytes) else {
                return Err(Trouble::BeyondShared);
            };
            return look(&mut self.pool.arena, None, range, access, who, &self.fences);
        }
        if let Some((region, range)) = self.region(address, bytes) {
            look(&mut self.pool.regions()[region].shadow, Some(region), range, access, who, &self.fences)?;
            if access == Access::Atomic {
                self.fences.atomic(address, who);
            }
            return Ok(());
        }
        // Tables in the library are constant, so reading them needs no check.
        let read = matches!(access, Access::Read | Access::VolatileRead);
        let constant = self.image.contains(&address) && bytes <= self.image.end - address;
        if read && constant { Ok(()) } else { Err(Trouble::Outside) }
    }

    /// The buffer that contains all bytes, and their range in it.
    fn region(&mut self, address: u64, bytes: u64) -> Option<(usize, Range<usize>)> {
        let inside = |region: &Region| within(region.start, region.bytes as u64, address, bytes);
        let place = Found::place(address);
        let found = &mut self.found[place as usize % PLACES];
        if found.place == place {
            return Some((found.region, inside(&self.pool.all()[found.region])?));
        }
        let region = self.pool.before(address)?;
        let range = inside(&self.pool.all()[region])?;
        *found = Found { place, region };
        // The first access of a launch to a buffer always gets here.
        self.pool.regions()[region].shadow.begin_launch(self.launch);
        Some((region, range))
    }

    /// The message for an access that was refused.
    pub(super) fn fault(
        &self,
        kernel: &str,
        address: u64,
        bytes: u64,
        access: Access,
        who: Who,
        trouble: Trouble,
    ) -> String {
        let problem = match trouble {
            Trouble::Misaligned => Problem::Misaligned { data: self.data(address), bytes },
            Trouble::BeyondShared => Problem::BeyondShared { at: address - self.arena, bytes, shared: self.shared },
            Trouble::Outside => Problem::Outside { address, bytes, nearest: self.nearest(address) },
            Trouble::Wrong { region, byte, wrong } => {
                let start = region.map_or(self.arena, |region| self.pool.all()[region].start);
                Problem::Wrong { data: self.data(start + byte as u64), wrong }
            }
        };
        let culprit = Culprit { block: who.block, thread: who.thread(), element: who.element };
        fault::access(kernel, culprit, access, &problem)
    }

    fn data(&self, address: u64) -> Data<'_> {
        if (self.arena..self.arena_end).contains(&address) {
            return Data::Shared { at: address - self.arena };
        }
        match self.nearest(address) {
            Some(data) => data,
            None => Data::Address(address),
        }
    }

    /// The buffer that an address is in or next to.
    fn nearest(&self, address: u64) -> Option<Data<'_>> {
        let next = self.pool.before(address).map_or(0, |before| before + 1);
        let near = self.pool.all()[next.saturating_sub(1)..].iter().take(2).map(|region| {
            let at = address.wrapping_sub(region.start) as i64;
            Data::Buffer { what: &region.what, at, granule: region.granule, bytes: region.bytes }
        });
        near.min_by_key(Data::distance).filter(|data| data.distance() < MARGIN as u64)
    }
}

fn look(
    shadow: &mut Shadow,
    region: Option<usize>,
    range: Range<usize>,
    access: Access,
    who: Who,
    fences: &Fences,
) -> Result<(), Trouble> {
    shadow.access(range, access, who, fences).map_err(|(byte, wrong)| Trouble::Wrong { region, byte, wrong })
}

/// The range of the bytes in memory, if they are inside.
fn within(start: u64, size: u64, address: u64, bytes: u64) -> Option<Range<usize>> {
    let at = address.wrapping_sub(start);
    let inside = at < size && bytes <= size - at;
    inside.then(|| at as usize..(at + bytes) as usize)
}
