//! Memory of the machine: buffers far apart, found by their addresses.

use super::NAME;
use super::shadow::Shadow;
use crate::device::{Buffer, Memory};
use crate::error::{Error, Result};
use std::alloc::{Layout, alloc, dealloc};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{ptr, slice};

const ALIGN: usize = 256;
/// Bytes on either side of a buffer that belong to no other. Accesses slightly out of bounds end there. The bytes are
/// never touched, so they take only address space.
pub(super) const MARGIN: usize = 64 * 1024;
/// Fresh memory consists of these bytes, as floats NaN, as indices far out of bounds.
const FRESH: u8 = 0xff;

/// All memory of one emulator.
pub(super) struct Pool {
    /// Sorted by address.
    #[expect(clippy::vec_box, reason = "there may be thousands, and new ones come in between")]
    regions: Vec<Box<Region>>,
    limit: usize,
    used: usize,
    checks: bool,
    /// Launches so far.
    launches: u64,
    /// Who accessed the shared memory of the current block.
    pub(super) arena: Shadow,
}

/// One buffer.
pub(super) struct Region {
    /// Its name in messages.
    pub(super) what: String,
    /// Its address.
    pub(super) start: u64,
    /// Its size.
    pub(super) bytes: usize,
    /// Bytes of a scalar in it.
    pub(super) granule: usize,
    /// Who accessed it.
    pub(super) shadow: Shadow,
    layout: Layout,
}

/// Frees a buffer when dropped.
struct Lease {
    pool: Arc<Mutex<Pool>>,
    start: u64,
}

impl Memory for Lease {}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut pool = lock(&self.pool);
        if let Some(at) = pool.find(self.start) {
            let region = pool.regions.remove(at);
            pool.used -= region.bytes;
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: `Pool::allocate` allocated it with this layout, and nothing refers to it any more, since launches
        // lock the pool.
        unsafe { dealloc((self.start as usize - MARGIN) as *mut u8, self.layout) }
    }
}

/// Locks the pool; a panic of another thread does not leave it in an invalid state.
pub(super) fn lock(pool: &Mutex<Pool>) -> MutexGuard<'_, Pool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// A machine with `limit` bytes of memory.
    pub(super) fn new(limit: usize, checks: bool) -> Self {
        Pool { regions: Vec::new(), limit, used: 0, checks, launches: 0, arena: Shadow::new(0, 4) }
    }

    /// See [`Device::allocate`](crate::Device::allocate).
    pub(super) fn allocate(pool: &Arc<Mutex<Pool>>, what: &str, bytes: usize, granule: usize) -> Result<Buffer> {
        let mut this = lock(pool);
        let free = this.limit - this.used;
        let full = || Error::OutOfMemory { device: NAME.into(), what: what.into(), bytes, free };
        if bytes > free || (this.checks && !Shadow::has_room(bytes, granule)) {
            return Err(full());
        }
        let padded = bytes.checked_add(2 * MARGIN).ok_or_else(full)?;
        let layout = Layout::from_size_align(padded, ALIGN).map_err(|_| full())?;
        // SAFETY: the layout has the margins, so its size is not 0.
        let base = unsafe { alloc(layout) };
        if base.is_null() {
            return Err(full());
        }
        // SAFETY: the margin and `bytes` bytes behind it are inside the allocation.
        unsafe { ptr::write_bytes(base.add(MARGIN), FRESH, bytes) };
        let start = (base as usize + MARGIN) as u64;
        let shadow = Shadow::new(if this.checks { bytes } else { 0 }, granule);
        let region = Region { what: what.into(), start, bytes, granule, shadow, layout };
        let at = this.regions.partition_point(|other| other.start < start);
        this.regions.insert(at, Box::new(region));
        this.used += bytes;
        Ok(Buffer::new(start, bytes, Arc::new(Lease { pool: pool.clone(), start })))
    }

    /// Copies to the start of a buffer.
    pub(super) fn upload(&mut self, to: u64, bytes: &[u8]) -> Result<()> {
        let checks = self.checks;
        let region = self.buffer("an upload", to, bytes.len())?;
        // SAFETY: the region has room for `bytes`, and the pool is locked, so nothing else accesses it.
        unsafe { slice::from_raw_parts_mut(to as *mut u8, bytes.len()) }.copy_from_slice(bytes);
        if checks {
            region.shadow.mark_written(0..bytes.len());
        }
        Ok(())
    }

    /// Copies from the start of a buffer.
    pub(super) fn download(&mut self, from: u64, bytes: &mut [u8]) -> Result<()> {
        self.buffer("a download", from, bytes.len())?;
        // SAFETY: as in `upload`; fresh memory is filled, so all of it is initialized.
        bytes.copy_from_slice(unsafe { slice::from_raw_parts(from as *const u8, bytes.len()) });
        Ok(())
    }

    fn buffer(&mut self, call: &'static str, start: u64, bytes: usize) -> Result<&mut Region> {
        let reason = match self.find(start) {
            None => "the buffer belongs to another machine".into(),
            Some(at) if bytes > self.regions[at].bytes => {
                format!("{bytes} bytes do not fit into the {} of {}", self.regions[at].bytes, self.regions[at].what)
            }
            Some(at) => return Ok(&mut self.regions[at]),
        };
        Err(Error::Driver { call, reason })
    }

    fn find(&self, start: u64) -> Option<usize> {
        self.regions.binary_search_by_key(&start, |region| region.start).ok()
    }

    /// The index of the last buffer that starts at the address or before it.
    pub(super) fn before(&self, address: u64) -> Option<usize> {
        self.regions.partition_point(|region| region.start <= address).checked_sub(1)
    }

    /// Begins a launch and returns its number, never 0.
    pub(super) fn begin_launch(&mut self) -> u64 {
        self.launches += 1;
        self.launches
    }

    /// Whether accesses are checked.
    pub(super) fn checks(&self) -> bool {
        self.checks
    }

    /// All buffers, sorted by address.
    pub(super) fn all(&self) -> &[Box<Region>] {
        &self.regions
    }

    /// The same, exclusively borrowed.
    pub(super) fn regions(&mut self) -> &mut [Box<Region>] {
        &mut self.regions
    }
}
