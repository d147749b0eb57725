//! Where the loops of a computation run.

use crate::config::Backend;
use crate::data::tasks;
use crate::data::workers::Workers;
use crate::device::DeviceState;
use crate::error::{Error, Result};
use crate::exec::triad::bandwidth;

/// The executor of an `Op2`: where its loops run.
pub(crate) enum Executor {
    /// The calling thread, element after element.
    Seq,
    /// The threads of its own pool.
    Threads(Workers),
    /// A GPU, or the emulator of one.
    Device(Box<DeviceState>),
}

impl Executor {
    pub(crate) fn new(backend: Backend, emulation: op2_device::Options) -> Result<Self> {
        let threads = match backend {
            Backend::Seq => return Ok(Executor::Seq),
            Backend::Threads(threads) => threads,
            Backend::Cuda(_) | Backend::Hip(_) | Backend::CudaEmu => {
                return Ok(Executor::Device(Box::new(DeviceState::open(backend, emulation)?)));
            }
        };
        let fault = |reason: String| Error::Threads { threads, reason };
        if threads == 0 {
            return Err(fault("expected at least 1".to_owned()));
        }
        Ok(Executor::Threads(Workers::new(threads).map_err(|e| fault(e.to_string()))?))
    }

    /// The pool, if it has more than one thread.
    pub(crate) fn pool(&self) -> Option<&rayon_core::ThreadPool> {
        match self {
            Executor::Threads(pool) if pool.current_num_threads() > 1 => Some(pool),
            _ => None,
        }
    }

    /// Runs work that divides itself among the threads of its pool: those that run loops, or all of the host's beside a device.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Executor::Seq => match Workers::new(1) {
                Ok(pool) => tasks::install(&pool, work),
                Err(_) => work(),
            },
            Executor::Threads(pool) => tasks::install(pool, work),
            Executor::Device(_) => work(),
        }
    }

    /// The device, if loops run on one.
    pub(crate) fn device(&self) -> Option<&DeviceState> {
        match self {
            Executor::Device(state) => Some(state),
            _ => None,
        }
    }

    /// The same, exclusively borrowed.
    pub(crate) fn device_mut(&mut self) -> Option<&mut DeviceState> {
        match self {
            Executor::Device(state) => Some(state),
            _ => None,
        }
    }

    /// Its name and the threads of the host that run elements.
    pub(crate) fn name(&self) -> (&str, usize) {
        match self.backend().on_host() {
            Some(named) => named,
            None => (self.device().map_or("", DeviceState::name), 0),
        }
    }

    pub(crate) fn backend(&self) -> Backend {
        match self {
            Executor::Seq => Backend::Seq,
            Executor::Threads(pool) => Backend::Threads(pool.current_num_threads()),
            Executor::Device(state) => state.backend(),
        }
    }

    /// Bandwidth in GB/s by this executor's threads, or of the device's memory; 0 for the emulator.
    pub(crate) fn triad(&self) -> f64 {
        match self {
            Executor::Seq => bandwidth(None),
            Executor::Threads(pool) => bandwidth(Some(pool)),
            Executor::Device(state) => state.bandwidth(),
        }
    }
}
