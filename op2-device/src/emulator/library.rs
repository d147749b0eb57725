//! A compiled and loaded text, and the data that it shares with the emulator: the structs at the start of
//! `op2_emulator.hpp`.
//!
//! A library has one `threadIdx`, one shared memory and one table of values, so only one launch at a time can use it.
//! Launches on several threads of the host use separate instances.

use crate::error::{Error, Result};
use crate::source::Source;
use libloading::Symbol;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, PoisonError};
use std::{fs, slice};

/// `threadIdx` and the like.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Dim {
    pub(super) x: u32,
    y: u32,
    z: u32,
}

impl Dim {
    /// A number of blocks or threads, all along x.
    pub(super) fn count(x: u32) -> Self {
        Dim { x, y: 1, z: 1 }
    }

    /// The index of a block or thread.
    pub(super) fn index(x: u32) -> Self {
        Dim { x, y: 0, z: 0 }
    }
}

/// The variables that the text reads, and the functions that it calls.
#[repr(C)]
pub(super) struct Environment {
    pub(super) thread: Dim,
    pub(super) block: Dim,
    pub(super) threads: Dim,
    pub(super) blocks: Dim,
    pub(super) element: u32,
    pub(super) stack: u64,
    pub(super) stack_bytes: u64,
    pub(super) run: *const c_void,
    pub(super) barrier: Option<unsafe extern "C" fn(*const c_void)>,
    pub(super) shuffle: Option<unsafe extern "C" fn(*const c_void, u64, u32, u32) -> u32>,
    pub(super) access: Option<unsafe extern "C" fn(*const c_void, u64, u64, u32, u32)>,
    pub(super) panic: Option<unsafe extern "C" fn(*const c_void, u64, u64, u64)>,
}

/// A kernel, called with the addresses of its parameters.
pub(super) type Entry = unsafe extern "C" fn(*const *const c_void);

#[repr(C)]
struct Kernel {
    name: *const c_char,
    call: Entry,
    sizes: *const u64,
    parameters: u64,
}

#[repr(C)]
struct Exports {
    environment: *mut Environment,
    arena: *mut u8,
    values: *mut u64,
    image: *const u8,
    image_end: *const u8,
    kernels: *const Kernel,
    count: u64,
}

/// A compiled text.
pub(super) struct Library {
    name: String,
    payload: Vec<u8>,
    kernels: Vec<String>,
    values: usize,
    bound: Option<usize>,
    idle: Mutex<Vec<Instance>>,
}

/// One loaded copy of the text.
pub(super) struct Instance {
    exports: *const Exports,
    /// Unloading it would invalidate the pointer above.
    _library: libloading::Library,
}

// SAFETY: the pointers lead into the loaded library, which the instance keeps loaded and any thread may use.
unsafe impl Send for Instance {}

impl Library {
    /// Loads the bytes of a library.
    pub(super) fn new(source: &Source, payload: Vec<u8>) -> Result<Self> {
        let name = &source.name[..];
        let first = Instance::load(name, &payload)?;
        let kernels = first.kernels().iter().map(|kernel| {
            // SAFETY: the names that `OP2_KERNEL` makes are literals.
            unsafe { CStr::from_ptr(kernel.name) }.to_string_lossy().into_owned()
        });
        let kernels = kernels.collect();
        let (values, bound) = (source.values().len(), source.place_of_value("OP2_BLOCK"));
        Ok(Library { name: name.into(), payload, kernels, values, bound, idle: Mutex::new(vec![first]) })
    }

    /// The name of the source.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The index of the value that bounds the threads of a block.
    pub(super) fn bound(&self) -> Option<usize> {
        self.bound
    }

    /// Number of values that the text looks up.
    pub(super) fn values(&self) -> usize {
        self.values
    }

    /// The index of a kernel.
    pub(super) fn kernel(&self, name: &str) -> Option<usize> {
        self.kernels.iter().position(|kernel| kernel == name)
    }

    /// An instance for one launch.
    pub(super) fn take(&self) -> Result<Instance> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Instance::load(&self.name, &self.payload), Ok)
    }

    /// Keeps an instance for later launches.
    pub(super) fn give_back(&self, instance: Instance) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(instance);
    }
}

impl Instance {
    fn load(name: &str, payload: &[u8]) -> Result<Self> {
        let failed = |reason: String| Error::Compile { name: name.into(), log: reason };
        let file = tempfile::Builder::new().prefix("op2-").suffix(".so").tempfile();
        let file = file.map_err(|e| failed(format!("no temporary file: {e}")))?.into_temp_path();
        fs::write(&file, payload).map_err(|e| failed(format!("{} cannot be written: {e}", file.display())))?;
        // SAFETY: the library was compiled from generated text behind `op2_emulator.hpp`, or comes from the cache,
        // which verifies its content; loading it runs no code.
        let library = unsafe { libloading::Library::new(&*file) }.map_err(|e| failed(e.to_string()))?;
        // SAFETY: `OP2_KERNELS` defines the function with this type.
        let exports = unsafe {
            let exports: Symbol<'_, unsafe extern "C" fn() -> *const Exports> =
                library.get(b"op2_emulated\0").map_err(|e| failed(e.to_string()))?;
            exports()
        };
        Ok(Instance { exports, _library: library })
    }

    fn exports(&self) -> &Exports {
        // SAFETY: it is a constant of the library, which is kept loaded.
        unsafe { &*self.exports }
    }

    fn kernels(&self) -> &[Kernel] {
        let exports = self.exports();
        // SAFETY: `OP2_KERNELS` counts its table.
        unsafe { slice::from_raw_parts(exports.kernels, exports.count as usize) }
    }

    /// The function that calls a kernel.
    pub(super) fn entry(&self, kernel: usize) -> Entry {
        self.kernels()[kernel].call
    }

    /// Bytes of each parameter of a kernel.
    pub(super) fn sizes(&self, kernel: usize) -> &[u64] {
        let kernel = &self.kernels()[kernel];
        // SAFETY: `Call::sizes` has an entry for every parameter.
        unsafe { slice::from_raw_parts(kernel.sizes, kernel.parameters as usize) }
    }

    /// The data shared with the text.
    pub(super) fn environment(&self) -> *mut Environment {
        self.exports().environment
    }

    /// The address of a block's shared memory.
    pub(super) fn arena(&self) -> u64 {
        self.exports().arena as u64
    }

    /// The addresses of the library's own data and constants.
    pub(super) fn image(&self) -> std::ops::Range<u64> {
        self.exports().image as u64..self.exports().image_end as u64
    }

    /// Fills the table of values; `values` must be as many as the library was made with.
    pub(super) fn set_values(&self, values: &[u64]) {
        // SAFETY: the table has a place for each, and only the caller's launch uses this instance.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.exports().values, values.len()) }
    }
}
