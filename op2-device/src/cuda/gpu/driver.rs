//! The driver's library, loaded when a GPU is first asked for.
//!
//! A program that is linked to `libcuda` does not start on a machine without it, and a crate that links it builds only
//! where CUDA is installed. So op2 declares the functions that it calls and finds them at run time.

mod functions;

use crate::library::told;
use functions::Functions;
pub(super) use functions::*;
use libloading::Library;
use std::ffi::{CStr, OsString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// A context, stream, event, module or function of the driver.
pub(super) type Handle = *mut c_void;

/// A node of a graph that is a kernel: `CUDA_KERNEL_NODE_PARAMS` in its first version, which all drivers with graphs have.
#[repr(C)]
pub(super) struct KernelNode {
    pub(super) function: Handle,
    pub(super) grid: [c_uint; 3],
    pub(super) block: [c_uint; 3],
    pub(super) shared: c_uint,
    pub(super) parameters: *mut *mut c_void,
    pub(super) extra: *mut *mut c_void,
}

/// The result of a call; the error is the driver's code. All codes are integers here, because a driver may have newer ones
/// than any list.
pub(super) type Answer<T = ()> = Result<T, c_int>;

/// The driver, or the reason why there is none. It stays loaded until the process ends.
static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();

struct Driver {
    functions: Functions,
    /// `cuGetErrorName`, which accepts any number.
    name: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int,
}

/// Something of the driver's that goes in the end.
pub(super) struct Owned {
    handle: Handle,
    destroy: unsafe fn(Handle) -> Answer,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Owned {}
// SAFETY: as above; all that is done by a shared reference is to read the handle.
unsafe impl Sync for Owned {}

impl Owned {
    /// The handle that `create` writes.
    ///
    /// # Safety
    /// Nobody else destroys the handle, and `destroy` may be called for it, in the context that is current at the end.
    pub(super) unsafe fn new(
        create: impl FnOnce(*mut Handle) -> Answer,
        destroy: unsafe fn(Handle) -> Answer,
    ) -> Answer<Self> {
        let mut handle = std::ptr::null_mut();
        create(&mut handle)?;
        Ok(Owned { handle, destroy })
    }

    pub(super) fn handle(&self) -> Handle {
        self.handle
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // A failure cannot be reported.
        // SAFETY: the handle was created, and is destroyed once.
        let _ = unsafe { (self.destroy)(self.handle) };
    }
}

/// Loads the driver, once in a process: the library that `OP2_CUDA_DRIVER` names, which exists for tests, else
/// `libcuda.so.1`. If there is none, returns the reason.
pub(super) fn load() -> Result<(), String> {
    DRIVER.get_or_init(open).as_ref().map(|_| ()).map_err(Clone::clone)
}

/// A result code with the driver's name for it: `CUDA_ERROR_ILLEGAL_ADDRESS (700)`.
pub(super) fn words(code: c_int) -> String {
    let mut name = std::ptr::null();
    let found = match DRIVER.get() {
        // SAFETY: the function accepts any number; it writes a C string that is never freed, or null.
        Some(Ok(driver)) => unsafe { (driver.name)(code, &mut name) == 0 && !name.is_null() },
        _ => false,
    };
    match found {
        // SAFETY: it is not null, so it is a string.
        true => format!("{} ({code})", unsafe { CStr::from_ptr(name) }.to_string_lossy()),
        false => format!("error {code} of the driver"),
    }
}

fn open() -> Result<Driver, String> {
    let named = std::env::var_os("OP2_CUDA_DRIVER").filter(|name| !name.is_empty());
    let file = named.unwrap_or_else(|| OsString::from("libcuda.so.1"));
    let reason =
        |e: libloading::Error| format!("the NVIDIA driver's `{}` cannot be loaded: {}", file.display(), told(&e));
    // SAFETY: the driver's initialisers only set up the library itself.
    let library = unsafe { Library::new(&file) }.map_err(reason)?;
    // SAFETY: the type is the one that `cuda.h` declares, with a number for its enumeration.
    let name = unsafe { library.get(c"cuGetErrorName") }.map(|found| *found).map_err(reason)?;
    // SAFETY: by its name, or by the user's word, the file is the driver.
    let functions = unsafe { Functions::of(&library) };
    std::mem::forget(library);
    Ok(Driver { functions, name })
}

/// The functions of the loaded driver.
fn found() -> Option<&'static Functions> {
    Some(&DRIVER.get()?.as_ref().ok()?.functions)
}

fn answer(code: c_int) -> Answer {
    if code == 0 { Ok(()) } else { Err(code) }
}
