//! The driver's library, loaded when a GPU is first asked for.
//!
//! A program that is linked to `libcuda` does not start on a machine without it. So this crate defines every function
//! that cust calls, under its own name; each passes its arguments on to the function in the library that [`load`]
//! found. These functions also protect cust from result codes that are newer than its result type, which would be
//! undefined behaviour.

mod functions;

use crate::library::told;
use cust::sys::CUresult;
use functions::Functions;
use libloading::Library;
use std::cell::Cell;
use std::ffi::{CStr, OsString, c_char, c_int};
use std::sync::OnceLock;

/// The driver, or the reason why there is none. It stays loaded until the process ends.
static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();

thread_local! {
    static LAST: Cell<c_int> = const { Cell::new(0) };
}

struct Driver {
    functions: Functions,
    /// `cuGetErrorName`, which accepts any number.
    name: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int,
}

/// Loads the driver, once in a process: the library that `OP2_CUDA_DRIVER` names, which exists for tests, else
/// `libcuda.so.1`. If there is none, returns the reason.
pub(super) fn load() -> Result<(), String> {
    DRIVER.get_or_init(open).as_ref().map(|_| ()).map_err(Clone::clone)
}

/// The result code of the last failed call on this thread. cust itself reports all codes that it does not know as the
/// same error.
pub(super) fn last() -> c_int {
    LAST.get()
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
    functions::keep();
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

/// The code to return for a function that returned `code`, or is missing: one that cust knows.
fn settled(code: Option<c_int>) -> c_int {
    let code = code.unwrap_or(CUresult::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND as c_int);
    if code != 0 {
        LAST.set(code);
    }
    if is_known(code) { code } else { CUresult::CUDA_ERROR_UNKNOWN as c_int }
}

/// Whether a result code is one of [`CUresult`].
fn is_known(code: c_int) -> bool {
    matches!(
        code,
        0..=8
            | 34
            | 100..=102
            | 200..=202
            | 205..=224
            | 300..=304
            | 400..=401
            | 500
            | 600
            | 700..=705
            | 708..=720
            | 800..=809
            | 900..=911
            | 999
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_cust_does_not_know_are_folded_and_kept() {
        assert_eq!(settled(Some(0)), 0);
        assert_eq!(settled(Some(700)), 700);
        assert_eq!(last(), 700);
        for unknown in [-1, 9, 46, 203, 225, 721, 912, 4711] {
            assert_eq!(settled(Some(unknown)), 999);
            assert_eq!(last(), unknown);
        }
        assert_eq!(settled(Some(0)), 0);
        assert_eq!(last(), 4711, "a success changes nothing");
        assert_eq!(settled(None), 302);
    }
}
