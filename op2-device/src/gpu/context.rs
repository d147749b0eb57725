//! A GPU's primary context, with one stream of work.

use super::driver::{self, Answer, Handle, Owned, Vendor};
use crate::device::Memory;
use crate::error::{Error, Result};
use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// The code `CUDA_ERROR_OUT_OF_MEMORY`.
const OUT_OF_MEMORY: c_int = 2;
/// Bytes of the largest words that atomics exchange.
const WORD: usize = 8;

/// Shared by everything that lives on a GPU.
pub(crate) struct Context {
    // Fields drop in order: the stream must go before its context.
    stream: Owned,
    primary: Primary,
    vendor: &'static Vendor,
    name: String,
    last: Mutex<Option<Arc<str>>>,
}

/// A device's primary context, given back in the end.
struct Primary {
    handle: Handle,
    device: c_int,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Primary {}
// SAFETY: as above; all that is done by a shared reference is to read the handle.
unsafe impl Sync for Primary {}

impl Primary {
    /// Makes the context current, too.
    fn of(device: c_int) -> Answer<Self> {
        let mut handle = ptr::null_mut();
        // SAFETY: the function writes a handle.
        unsafe { driver::cuDevicePrimaryCtxRetain(&mut handle, device) }?;
        let primary = Primary { handle, device };
        // SAFETY: the handle is one of a context.
        unsafe { driver::cuCtxSetCurrent(primary.handle) }?;
        Ok(primary)
    }
}

impl Drop for Primary {
    fn drop(&mut self) {
        // SAFETY: the context was retained once, and nothing of it is left.
        let _ = unsafe { driver::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

impl Context {
    /// The context of one of a vendor's GPUs, whose driver is current.
    pub(super) fn new(vendor: &'static Vendor, device: c_int, name: String) -> Answer<Arc<Self>> {
        let primary = Primary::of(device)?;
        // SAFETY: the stream is this context's own, which is current whenever it is destroyed.
        let stream = unsafe {
            Owned::new(|stream| driver::cuStreamCreateWithPriority(stream, 0, 0), driver::cuStreamDestroy_v2)
        }?;
        Ok(Arc::new(Context { stream, primary, vendor, name, last: Mutex::new(None) }))
    }

    pub(super) fn vendor(&self) -> &'static Vendor {
        self.vendor
    }

    pub(super) fn stream(&self) -> Handle {
        self.stream.handle()
    }

    /// Makes this GPU the target of the calling thread's next calls.
    pub(super) fn bind(&self) -> Result<()> {
        let no_driver = |reason| Error::NoDevice { reason };
        driver::turn_to(self.vendor).map_err(no_driver)?;
        // SAFETY: the handle is one of a context.
        self.done("turning to the GPU", unsafe { driver::cuCtxSetCurrent(self.primary.handle) })
    }

    /// Records the last kernel started, to which errors that appear later are attributed.
    pub(super) fn started(&self, kernel: &Arc<str>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel.clone());
    }

    /// The result of a call to the driver.
    pub(crate) fn done<T>(&self, call: &'static str, answer: Answer<T>) -> Result<T> {
        answer.map_err(|code| self.failed(call, code))
    }

    /// The error for a result code. Kernels run asynchronously, so any call may report that one of them failed.
    pub(super) fn failed(&self, call: &'static str, code: c_int) -> Error {
        let words = driver::words(code);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match last.filter(|_| is_of_a_kernel(code)) {
            Some(kernel) => Error::Launch {
                kernel: kernel.to_string(),
                device: self.name.clone(),
                reason: format!(
                    "{words}, in this kernel or one before it (with the environment variable `{}` \
                     it is this one); the GPU can be used again after a new start of the program",
                    self.vendor.blocks
                ),
            },
            None => Error::Driver { call, reason: format!("{words} on {}", self.name) },
        }
    }

    pub(super) fn wait(&self) -> Result<()> {
        self.bind()?;
        self.done("waiting for the GPU", self.synchronized())
    }

    fn synchronized(&self) -> Answer {
        // SAFETY: the stream exists.
        unsafe { driver::cuStreamSynchronize(self.stream()) }
    }

    /// Copies to the GPU, after all work before. The copy is done on return; otherwise it would depend on the kind of
    /// memory and on the machine whether the driver still reads the bytes later.
    pub(super) fn upload(&self, to: u64, bytes: &[u8]) -> Result<()> {
        self.bind()?;
        // SAFETY: the bytes live until the stream is waited for, below; the caller checked that they fit.
        let result = unsafe { driver::cuMemcpyHtoDAsync_v2(to, bytes.as_ptr().cast(), bytes.len(), self.stream()) };
        // Wait even after a failure, so that nothing reads the bytes any more.
        let waited = self.synchronized();
        self.done("copying to the GPU", result)?;
        self.done("copying to the GPU", waited)
    }

    /// Copies from the GPU, after all work before.
    pub(super) fn download(&self, from: u64, bytes: &mut [u8]) -> Result<()> {
        self.bind()?;
        let (to, length) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: the bytes are exclusively borrowed until the stream is waited for, below; the caller checked that
        // they fit.
        let result = unsafe { driver::cuMemcpyDtoHAsync_v2(to, from, length, self.stream()) };
        let waited = self.synchronized();
        self.done("copying from the GPU", result)?;
        self.done("copying from the GPU", waited)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // The stream drops next and needs the context. A failure cannot be reported.
        let _ = self.bind();
    }
}

/// Whether a result code means that a kernel failed while it ran. All later calls then fail, too.
fn is_of_a_kernel(code: c_int) -> bool {
    matches!(code, 214 | 220 | 226 | 700 | 702 | 710 | 714..=719 | 721)
}

/// Memory of a GPU.
pub(super) struct Allocation {
    address: u64,
    context: Arc<Context>,
}

impl Allocation {
    pub(super) fn new(context: &Arc<Context>, what: &str, bytes: usize) -> Result<Self> {
        context.bind()?;
        let mut address = 0;
        // The driver refuses size 0, but buffers of empty sets need addresses, too. Atomics on small values exchange the whole words
        // around them.
        let whole = bytes.max(1).checked_next_multiple_of(WORD).unwrap_or(bytes);
        // SAFETY: the function writes an address.
        match unsafe { driver::cuMemAlloc_v2(&mut address, whole) } {
            Ok(()) => Ok(Allocation { address, context: context.clone() }),
            Err(OUT_OF_MEMORY) => {
                let (device, what) = (context.name.clone(), what.to_owned());
                Err(Error::OutOfMemory { device, what, bytes, free: free() })
            }
            Err(code) => Err(context.failed("allocating memory", code)),
        }
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // Kernels may still use the memory. If they failed, nothing can be freed.
        if self.context.wait().is_ok() {
            // SAFETY: the memory came from `cuMemAlloc_v2`, and this was its only owner.
            let _ = unsafe { driver::cuMemFree_v2(self.address) };
        }
    }
}

impl Memory for Allocation {}

/// Bytes that are free on the current GPU; 0 if it does not tell.
fn free() -> usize {
    let (mut free, mut total) = (0, 0);
    // SAFETY: the function writes two numbers.
    unsafe { driver::cuMemGetInfo_v2(&mut free, &mut total) }.map_or(0, |()| free)
}

/// A point in the stream.
pub(super) struct Point {
    event: Owned,
    context: Arc<Context>,
}

impl Point {
    pub(super) fn new(context: &Arc<Context>) -> Result<Self> {
        context.bind()?;
        // SAFETY: the event is this context's own, which is current whenever it is destroyed.
        let event = unsafe { Owned::new(|event| driver::cuEventCreate(event, 0), driver::cuEventDestroy_v2) };
        let event = context.done("creating an event", event)?;
        // SAFETY: event and stream exist.
        let recorded = unsafe { driver::cuEventRecord(event.handle(), context.stream()) };
        context.done("recording an event", recorded)?;
        Ok(Point { event, context: context.clone() })
    }

    /// Seconds to a later point; waits for that point.
    pub(super) fn seconds_to(&self, later: &Point) -> Result<f64> {
        self.context.bind()?;
        // SAFETY: the event exists.
        let waited = unsafe { driver::cuEventSynchronize(later.event.handle()) };
        self.context.done("waiting for an event", waited)?;
        let mut milliseconds = 0.0;
        // SAFETY: the events exist, and the function writes one number.
        let compared =
            unsafe { driver::cuEventElapsedTime(&mut milliseconds, self.event.handle(), later.event.handle()) };
        self.context.done("comparing events", compared)?;
        Ok(f64::from(milliseconds) / 1000.0)
    }
}

impl Drop for Point {
    fn drop(&mut self) {
        // The event drops next and needs the context.
        let _ = self.context.bind();
    }
}
