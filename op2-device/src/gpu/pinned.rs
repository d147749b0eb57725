//! Memory of the host that the GPU copies to by itself. Copies to other memory go through the driver's buffers.

use super::driver;
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// The most bytes that are copied through pinned memory: larger copies take longer than the copy on the host in between saves.
const BYTES: usize = 64 * 1024;

/// Pinned memory for results on their way to the user's memory.
#[derive(Default)]
pub(super) enum Pinned {
    /// Not allocated yet.
    #[default]
    Fresh,
    /// The driver has none.
    Missing,
    /// [`BYTES`] bytes.
    There(NonNull<u8>),
}

// SAFETY: nobody else knows the memory, which any thread may access.
unsafe impl Send for Pinned {}

impl Pinned {
    /// Memory for `bytes` bytes; none if they are too many, or the driver has no such memory. Its context must be current.
    pub(super) fn of(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        if bytes > BYTES {
            return None;
        }
        if let Pinned::Fresh = self {
            let mut memory: *mut c_void = ptr::null_mut();
            // SAFETY: the function writes an address.
            let allocated = unsafe { driver::cuMemAllocHost_v2(&mut memory, BYTES) };
            let memory = allocated.ok().and_then(|()| NonNull::new(memory.cast()));
            *self = memory.map_or(Pinned::Missing, Pinned::There);
        }
        match self {
            Pinned::There(memory) => Some(*memory),
            Pinned::Fresh | Pinned::Missing => None,
        }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Pinned::There(memory) = self {
            // SAFETY: the memory was allocated once, and every copy to it was waited for. Its context is current.
            let _ = unsafe { driver::cuMemFreeHost(memory.as_ptr().cast()) };
        }
    }
}
