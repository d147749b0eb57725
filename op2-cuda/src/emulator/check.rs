//! What an access is checked for: that it lies in memory, and what the shadow of that memory says.

use super::fault::{self, Data, Place, Problem};
use super::library::Instance;
use super::memory::{MARGIN, Pool, Region};
use super::shadow::{Access, Shadow, Who, Wrong};
use std::ops::Range;

/// Checks the accesses of one launch.
pub(super) struct Checker<'a> {
    pool: &'a mut Pool,
    /// The launch, among all of the pool.
    launch: u64,
    /// Which buffer was last found at an address.
    found: [Found; PLACES],
    /// Address of shared memory, its size in this launch, and in any.
    arena: u64,
    shared: u64,
    arena_end: u64,
    /// Where the library's constants are.
    image: Range<u64>,
}

/// A buffer that was found by an address.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// Part of the address space.
    place: u64,
    /// Number of the only buffer that has bytes there.
    region: usize,
}

/// Number of places whose buffers a launch keeps in mind.
const PLACES: usize = 64;

impl Found {
    const NOTHING: Found = Found { place: u64::MAX, region: 0 };

    /// Places are as large as a margin, so that no two buffers reach into the same one.
    fn place(address: u64) -> u64 {
        address / MARGIN as u64
    }
}

/// Why an access is refused.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trouble {
    /// Not a multiple of the size.
    Misaligned,
    /// Beyond shared memory.
    BeyondShared,
    /// Not in a buffer.
    Outside,
    /// In a buffer, or in shared memory if there is no number: the byte for which something is wrong.
    Wrong { region: Option<usize>, byte: usize, wrong: Wrong },
}

impl<'a> Checker<'a> {
    /// For a launch whose blocks have so much shared memory.
    pub(super) fn new(pool: &'a mut Pool, instance: &Instance, shared: u32) -> Self {
        let launch = pool.begin_launch();
        let arena = instance.arena();
        let (shared, arena_end) = (u64::from(shared), arena + u64::from(super::SHARED_PER_BLOCK));
        Checker { pool, launch, found: [Found::NOTHING; PLACES], arena, shared, arena_end, image: instance.image() }
    }

    /// From here on another block runs.
    pub(super) fn begin_block(&mut self) {
        self.pool.arena.begin_unwritten(self.shared as usize);
    }

    /// Looks at an access that is about to happen.
    ///
    /// # Errors
    /// It must not.
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
            return look(&mut self.pool.arena, None, range, access, who);
        }
        if let Some((region, range)) = self.region(address, bytes) {
            return look(&mut self.pool.regions()[region].shadow, Some(region), range, access, who);
        }
        // What the kernel looks up in its own library does not change.
        let read = matches!(access, Access::Read | Access::VolatileRead);
        let constant = self.image.contains(&address) && bytes <= self.image.end - address;
        if read && constant { Ok(()) } else { Err(Trouble::Outside) }
    }

    /// The buffer that all bytes are in, and where.
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
        // The first access of a launch to a buffer always comes here.
        self.pool.regions()[region].shadow.begin_launch(self.launch);
        Some((region, range))
    }

    /// The words for an access that was refused.
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
        let place = Place { block: who.block, thread: who.thread(), element: who.element };
        fault::access(kernel, place, access, &problem)
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

    /// The buffer in whose margins or memory an address is.
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
) -> Result<(), Trouble> {
    shadow.access(range, access, who).map_err(|(byte, wrong)| Trouble::Wrong { region, byte, wrong })
}

/// The place of bytes in memory, if they are inside it.
fn within(start: u64, size: u64, address: u64, bytes: u64) -> Option<Range<usize>> {
    let at = address.wrapping_sub(start);
    let inside = at < size && bytes <= size - at;
    inside.then(|| at as usize..(at + bytes) as usize)
}
