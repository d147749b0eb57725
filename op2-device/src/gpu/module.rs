//! Compiled texts on a GPU.

use super::compiler::Compiler;
use super::context::{Allocation, Context};
use super::driver::{self, Handle, Owned};
use crate::error::{Error, Result};
use crate::panic::Panic;
use crate::resources::Resources;
use crate::source::{SIZES, Source};
use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of `op2_panic` in `op2_device.cuh`.
const RECORD: usize = 32;

// Values of `CUfunction_attribute`, which HIP has, too.
const THREADS_PER_BLOCK: c_int = 0;
const SHARED_BYTES: c_int = 1;
const LOCAL_BYTES: c_int = 3;
const REGISTERS: c_int = 4;
const DYNAMIC_SHARED_BYTES: c_int = 8;

/// A module on a GPU.
pub(super) struct Loaded {
    kernels: HashMap<String, Kernel>,
    // Fields drop in order: a module must go before its context.
    panics: Option<Panics>,
    sizes: Option<Sizes>,
    _module: Owned,
    context: Arc<Context>,
}

/// The table of sizes in a module.
struct Sizes {
    address: u64,
    /// Their places among the values of a launch.
    places: Vec<usize>,
    /// Those that the table holds; none at first.
    held: Mutex<Vec<u64>>,
}

/// Reports of checked code: the kernel that hands over a panic, and the record that it writes.
struct Panics {
    take: Kernel,
    record: Allocation,
}

/// A function of a module.
pub(super) struct Kernel {
    pub(super) name: Arc<str>,
    pub(super) function: Handle,
    pub(super) resources: Resources,
    /// Most threads that a block may have.
    pub(super) threads: u32,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Kernel {}
// SAFETY: as above; a kernel is immutable.
unsafe impl Sync for Kernel {}

impl Loaded {
    /// Loads machine code. A kernel's dynamic and static shared memory together may take `shared` bytes.
    pub(super) fn new(
        context: &Arc<Context>,
        compiler: &Compiler,
        source: &Source,
        image: &[u8],
        shared: u32,
    ) -> Result<Self> {
        context.bind()?;
        let (none, bytes) = (ptr::null_mut(), image.as_ptr().cast());
        // SAFETY: the image is machine code, or PTX that ends with a zero, as the compiler left it; without options there are no
        // lists of them. Its context is current when the module is unloaded.
        let module = unsafe {
            Owned::new(
                |module| driver::cuModuleLoadDataEx(module, bytes, 0, none, ptr::null_mut()),
                driver::cuModuleUnload,
            )
        };
        let module = module.map_err(|code| compiler.explained(context.failed("loading machine code", code)))?;
        let kernel = |name: &String| Ok((name.clone(), Kernel::new(context, &module, name, shared)?));
        let kernels = source.started().map(kernel).collect::<Result<_>>()?;
        let panics = match compiler.kernel_checks {
            true => Some(Panics {
                take: Kernel::new(context, &module, "op2_take_panic", shared)?,
                record: Allocation::new(context, "what a kernel panics for", RECORD)?,
            }),
            false => None,
        };
        let sizes = Sizes::find(context, &module, source.places_of_sizes())?;
        Ok(Loaded { kernels, panics, sizes, _module: module, context: context.clone() })
    }

    /// Brings the sizes among the values of a launch to the GPU, unless it has them.
    pub(super) fn take_sizes(&self, values: &[u64]) -> Result<()> {
        let Some(Sizes { address, places, held }) = &self.sizes else { return Ok(()) };
        let now: Vec<u64> = places.iter().filter_map(|place| values.get(*place).copied()).collect();
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        if *held != now {
            let bytes: Vec<u8> = now.iter().flat_map(|size| size.to_ne_bytes()).collect();
            self.context.upload(*address, &bytes)?;
            *held = now;
        }
        Ok(())
    }

    pub(super) fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.get(name)
    }

    /// Whether the code has checks.
    pub(super) fn has_checks(&self) -> bool {
        self.panics.is_some()
    }

    /// Waits for the launch of a kernel if the code has checks.
    ///
    /// # Errors
    /// [`Error::Panic`], and errors of the driver.
    pub(super) fn checked(&self, kernel: &str) -> Result<()> {
        let Some(Panics { take, record }) = &self.panics else { return Ok(()) };
        let (mut address, stream) = (record.address(), self.context.stream());
        let mut parameters: [*mut c_void; 1] = [ptr::from_mut(&mut address).cast()];
        let parameters = parameters.as_mut_ptr();
        // SAFETY: the kernel takes the address of a record, which lives as long as the module; the driver copies the
        // parameter before it returns.
        let result =
            unsafe { driver::cuLaunchKernel(take.function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, ptr::null_mut()) };
        self.context.done("asking for a panic", result)?;
        let mut bytes = [0; RECORD];
        self.context.download(record.address(), &mut bytes)?;
        let word = |n: usize| u64::from_ne_bytes(bytes[8 * n..][..8].try_into().expect("a word has 8 bytes"));
        match word(0) {
            0 => Ok(()),
            number => {
                let panic = Panic::of(number, word(2), word(3));
                Err(Error::Panic { kernel: kernel.to_owned(), element: word(1) as u32, panic })
            }
        }
    }

    /// Whether the module is on this GPU.
    pub(super) fn is_of(&self, context: &Arc<Context>) -> bool {
        Arc::ptr_eq(&self.context, context)
    }
}

/// `CUDA_ERROR_NOT_FOUND`
const NOT_FOUND: c_int = 500;

impl Sizes {
    /// The table of a module; none if the text has no sizes, or the compiler has dropped them because no kernel asks for one.
    fn find(context: &Context, module: &Owned, places: Vec<usize>) -> Result<Option<Self>> {
        if places.is_empty() {
            return Ok(None);
        }
        let (mut address, mut bytes) = (0, 0);
        let name = CString::new(SIZES).unwrap_or_default();
        // SAFETY: the module is loaded, the name ends with a zero, and the function writes an address and a number.
        match unsafe { driver::cuModuleGetGlobal_v2(&mut address, &mut bytes, module.handle(), name.as_ptr()) } {
            Err(NOT_FOUND) => Ok(None),
            found => {
                context.done("finding the table of sizes", found)?;
                debug_assert_eq!(bytes, size_of::<u64>() * places.len());
                Ok(Some(Sizes { address, places, held: Mutex::default() }))
            }
        }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // Kernels may still run, and the module is unloaded next.
        if self.context.wait().is_ok() {
            self.context.forget(self.kernels.values().map(|kernel| kernel.function));
        }
    }
}

impl Kernel {
    fn new(context: &Context, module: &Owned, name: &str, shared: u32) -> Result<Self> {
        let Ok(symbol) = CString::new(name) else {
            return Err(Error::Driver { call: "finding a kernel", reason: format!("{name:?} is no name") });
        };
        let mut function = ptr::null_mut();
        // SAFETY: the module is loaded, the name ends with a zero, and the function writes a handle.
        let found = unsafe { driver::cuModuleGetFunction(&mut function, module.handle(), symbol.as_ptr()) };
        context.done("finding a kernel", found).map_err(|e| of_kernel(e, name))?;
        let attribute = |which| attribute(context, function, which);
        let resources = Resources {
            registers: attribute(REGISTERS)?,
            local: attribute(LOCAL_BYTES)?,
            shared: attribute(SHARED_BYTES)?,
        };
        if context.vendor().asks_for_shared {
            allow_shared(context, function, shared.saturating_sub(resources.shared))?;
        }
        let threads = attribute(THREADS_PER_BLOCK)?;
        Ok(Kernel { name: name.into(), function, resources, threads })
    }
}

/// Permits a kernel more dynamic shared memory than the default of 48 KiB.
fn allow_shared(context: &Context, function: Handle, bytes: u32) -> Result<()> {
    let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
    // SAFETY: the function is one of a module that is loaded.
    let allowed = unsafe { driver::cuFuncSetAttribute(function, DYNAMIC_SHARED_BYTES, bytes) };
    context.done("allowing a kernel more shared memory", allowed)
}

fn attribute(context: &Context, function: Handle, which: c_int) -> Result<u32> {
    let mut value = 0;
    // SAFETY: the function is one of a module that is loaded, and one number is written.
    let asked = unsafe { driver::cuFuncGetAttribute(&mut value, which, function) };
    context.done("asking what a kernel takes", asked)?;
    Ok(value.try_into().unwrap_or(0))
}

/// Adds the name of the kernel to an error.
fn of_kernel(error: Error, name: &str) -> Error {
    match error {
        Error::Driver { call, reason } => Error::Driver { call, reason: format!("`{name}`: {reason}") },
        other => other,
    }
}
