//! A GPU's primary context, with one stream of work.

use super::driver;
use crate::device::Memory;
use crate::error::{Error, Result};
use cust::context::{Context as Primary, CurrentContext};
use cust::error::CudaResult;
use cust::event::{Event, EventFlags};
use cust::memory::DevicePointer;
use cust::stream::{Stream, StreamFlags};
use cust::sys::{CUresult, cuMemcpyDtoHAsync_v2, cuMemcpyHtoDAsync_v2};
use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};

/// Shared by everything that lives on a GPU.
pub(super) struct Context {
    // Fields drop in order: the stream must go before its context.
    stream: Stream,
    primary: Primary,
    name: String,
    last: Mutex<Option<Arc<str>>>,
}

impl Context {
    pub(super) fn new(device: cust::device::Device, name: String) -> Result<Arc<Self>, c_int> {
        let primary = Primary::new(device).map_err(|_| driver::last())?;
        let stream = Stream::new(StreamFlags::DEFAULT, None).map_err(|_| driver::last())?;
        Ok(Arc::new(Context { stream, primary, name, last: Mutex::new(None) }))
    }

    pub(super) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Makes this GPU the target of the calling thread's next calls.
    pub(super) fn bind(&self) -> Result<()> {
        self.done("turning to the GPU", CurrentContext::set_current(&self.primary))
    }

    /// Records the last kernel started, to which errors that appear later are attributed.
    pub(super) fn started(&self, kernel: &Arc<str>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(kernel.clone());
    }

    /// The result of a call that cust made.
    pub(super) fn done<T>(&self, call: &'static str, result: CudaResult<T>) -> Result<T> {
        result.map_err(|_| self.failed(call, driver::last()))
    }

    /// The result of a call to the driver itself.
    pub(super) fn answered(&self, call: &'static str, result: CUresult) -> Result<()> {
        if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(self.failed(call, driver::last())) }
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
                    "{words}, in this kernel or one before it (with the environment variable `CUDA_LAUNCH_BLOCKING=1` \
                     it is this one); the GPU can be used again after a new start of the program"
                ),
            },
            None => Error::Driver { call, reason: format!("{words} on {}", self.name) },
        }
    }

    pub(super) fn wait(&self) -> Result<()> {
        self.bind()?;
        self.done("waiting for the GPU", self.stream.synchronize())
    }

    /// Copies to the GPU, after all work before. The copy is done on return; otherwise it would depend on the kind of
    /// memory and on the machine whether the driver still reads the bytes later.
    pub(super) fn upload(&self, to: u64, bytes: &[u8]) -> Result<()> {
        self.bind()?;
        // SAFETY: the bytes live until the stream is waited for, below; the caller checked that they fit.
        let result = unsafe { cuMemcpyHtoDAsync_v2(to, bytes.as_ptr().cast(), bytes.len(), self.stream.as_inner()) };
        // Wait even after a failure, so that nothing reads the bytes any more.
        let waited = self.stream.synchronize();
        self.answered("copying to the GPU", result)?;
        self.done("copying to the GPU", waited)
    }

    /// Copies from the GPU, after all work before.
    pub(super) fn download(&self, from: u64, bytes: &mut [u8]) -> Result<()> {
        self.bind()?;
        let (to, length) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: the bytes are exclusively borrowed until the stream is waited for, below; the caller checked that
        // they fit.
        let result = unsafe { cuMemcpyDtoHAsync_v2(to, from, length, self.stream.as_inner()) };
        let waited = self.stream.synchronize();
        self.answered("copying from the GPU", result)?;
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
        // The driver refuses size 0, but buffers of empty sets need addresses, too.
        // SAFETY: only the driver and kernels use the memory.
        match unsafe { cust::memory::cuda_malloc::<u8>(bytes.max(1)) } {
            Ok(pointer) => Ok(Allocation { address: pointer.as_raw(), context: context.clone() }),
            Err(cust::error::CudaError::OutOfMemory) => Err(Error::OutOfMemory {
                device: context.name.clone(),
                what: what.to_owned(),
                bytes,
                free: cust::memory::mem_get_info().map_or(0, |(free, _)| free),
            }),
            Err(_) => Err(context.failed("allocating memory", driver::last())),
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
            // SAFETY: the memory came from `cuda_malloc`, and this was its only owner.
            let _ = unsafe { cust::memory::cuda_free(DevicePointer::<u8>::from_raw(self.address)) };
        }
    }
}

impl Memory for Allocation {}

/// A point in the stream.
pub(super) struct Point {
    event: Event,
    context: Arc<Context>,
}

impl Point {
    pub(super) fn new(context: &Arc<Context>) -> Result<Self> {
        context.bind()?;
        let event = context.done("creating an event", Event::new(EventFlags::DEFAULT))?;
        context.done("recording an event", event.record(&context.stream))?;
        Ok(Point { event, context: context.clone() })
    }

    /// Seconds to a later point; waits for that point.
    pub(super) fn seconds_to(&self, later: &Point) -> Result<f64> {
        self.context.bind()?;
        self.context.done("waiting for an event", later.event.synchronize())?;
        let milliseconds = self.context.done("comparing events", later.event.elapsed_time_f32(&self.event))?;
        Ok(f64::from(milliseconds) / 1000.0)
    }
}

impl Drop for Point {
    fn drop(&mut self) {
        // The event drops next and needs the context.
        let _ = self.context.bind();
    }
}
