//! Where a vendor's driver is, and its words.

use super::functions::Functions;
use super::names::of_hip;
use super::{Driver, Slot};
use crate::library::told;
use libloading::Library;
use std::ffi::{OsStr, OsString, c_char, c_int};

/// A vendor's driver and its words.
pub(crate) struct Vendor {
    /// The driver, once it is loaded.
    pub(crate) slot: Slot,
    /// Whether its functions have HIP's names.
    pub(crate) is_hip: bool,
    /// The variable that names another library, for tests.
    pub(crate) variable: &'static str,
    /// The names of the library; the first that is found is loaded.
    pub(crate) libraries: &'static [&'static str],
    /// Whose library it is, for messages.
    pub(crate) whose: &'static str,
    /// The variable that hides GPUs from a process.
    pub(crate) hides: &'static str,
    /// The setting with which every launch is waited for.
    pub(crate) blocks: &'static str,
    /// Whether a kernel must ask for most of a block's shared memory before it gets it.
    pub(crate) asks_for_shared: bool,
}

impl Vendor {
    /// The names of functions in its library.
    fn named(&self) -> fn(&'static str) -> Option<&'static str> {
        if self.is_hip { of_hip } else { Some }
    }
}

/// The function that names a result code; it accepts any number, and its names are never freed.
pub(super) enum Name {
    /// `cuGetErrorName` writes it.
    Written(unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int),
    /// `hipGetErrorName` returns it.
    Returned(unsafe extern "C" fn(c_int) -> *const c_char),
}

/// Loads the driver: the library that the variable names, else the vendor's. The error is the reason as text.
pub(super) fn open(vendor: &Vendor) -> Result<Driver, String> {
    let named = std::env::var_os(vendor.variable).filter(|name| !name.is_empty());
    let files = named.map_or_else(|| vendor.libraries.iter().map(OsString::from).collect(), |named| vec![named]);
    let mut reasons = Vec::new();
    for file in files {
        match opened(vendor, &file) {
            Ok(driver) => return Ok(driver),
            Err(e) => {
                reasons.push(format!("{} `{}` cannot be loaded: {}", vendor.whose, file.display(), told(&e)));
            }
        }
    }
    Err(reasons.join("; "))
}

fn opened(vendor: &Vendor, file: &OsStr) -> Result<Driver, libloading::Error> {
    // SAFETY: the driver's initialisers only set up the library itself.
    let library = unsafe { Library::new(file) }?;
    let name = match vendor.is_hip {
        // SAFETY: the type is the one that `hip_runtime_api.h` declares, with a number for its enumeration.
        true => Name::Returned(unsafe { *library.get(c"hipGetErrorName")? }),
        // SAFETY: the type is that of `cuda.h`, with such a number.
        false => Name::Written(unsafe { *library.get(c"cuGetErrorName")? }),
    };
    // SAFETY: by its name, or by the user's word, the file is the driver.
    let functions = unsafe { Functions::of(&library, vendor.named()) };
    std::mem::forget(library);
    Ok(Driver { functions, name })
}
