//! A vendor's driver, loaded when a GPU is first asked for.
//!
//! A program that is linked to `libcuda` does not start on a machine without it, and a crate that links it builds only
//! where CUDA is installed. So op2 declares the functions that it calls and finds them at run time.
//!
//! As every driver knows a current context of a thread, this module knows a current driver: the one whose context was made current last.

mod functions;
mod names;
mod vendor;

use functions::Functions;
pub(crate) use functions::*;
use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;
pub(crate) use vendor::Vendor;
use vendor::{Name, open};

/// A context, stream, event, module or function of the driver.
pub(crate) type Handle = *mut c_void;

/// The result of a call; the error is the driver's code. All codes are integers here, because a driver may have newer ones
/// than any list.
pub(crate) type Answer<T = ()> = Result<T, c_int>;

/// A driver, or the reason why there is none. It stays loaded until the process ends.
pub(crate) type Slot = OnceLock<Result<Driver, String>>;

thread_local! {
    /// The driver of the current context.
    static CURRENT: Cell<Option<&'static Driver>> = const { Cell::new(None) };
}

pub(crate) struct Driver {
    functions: Functions,
    name: Name,
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

/// Makes the driver of a vendor the current one of this thread. It is loaded once in a process: the library that a variable names, which
/// exists for tests, else the vendor's. If there is none, returns the reason.
pub(super) fn turn_to(vendor: &'static Vendor) -> Result<(), String> {
    let driver = vendor.slot.get_or_init(|| open(vendor)).as_ref().map_err(Clone::clone)?;
    CURRENT.set(Some(driver));
    Ok(())
}

/// A result code with the driver's name for it: `CUDA_ERROR_ILLEGAL_ADDRESS (700)`.
pub(super) fn words(code: c_int) -> String {
    let mut name = std::ptr::null();
    match CURRENT.get().map(|driver| &driver.name) {
        // SAFETY: the function writes a C string that is never freed, or null.
        Some(Name::Written(of)) => unsafe {
            of(code, &mut name);
        },
        // SAFETY: the function returns such a string.
        Some(Name::Returned(of)) => name = unsafe { of(code) },
        None => {}
    }
    match name.is_null() {
        // SAFETY: it is not null, so it is a string.
        false => format!("{} ({code})", unsafe { CStr::from_ptr(name) }.to_string_lossy()),
        true => format!("error {code} of the driver"),
    }
}

/// The functions of the current driver.
fn found() -> Option<&'static Functions> {
    Some(&CURRENT.get()?.functions)
}

fn answer(code: c_int) -> Answer {
    if code == 0 { Ok(()) } else { Err(code) }
}
