//! The functions of NVRTC's library.

use libloading::Library;
use std::ffi::{c_char, c_int, c_void};

/// `nvrtcProgram`
pub(super) type Program = *mut c_void;
/// A function that returns the length of a result.
pub(super) type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
/// A function that writes a result.
pub(super) type Get = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Strings = *const *const c_char;
type Create = unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, Strings, Strings) -> c_int;

/// The functions of the library that are used. The library stays loaded until the process ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Functions {
    pub(super) version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
    pub(super) error_string: unsafe extern "C" fn(c_int) -> *const c_char,
    pub(super) count_architectures: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub(super) architectures: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub(super) create: Create,
    pub(super) destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    pub(super) compile: unsafe extern "C" fn(Program, c_int, Strings) -> c_int,
    pub(super) cubin_size: Size,
    pub(super) cubin: Get,
    pub(super) ptx_size: Size,
    pub(super) ptx: Get,
    pub(super) log_size: Size,
    pub(super) log: Get,
}

impl Functions {
    /// Looks all functions up, and keeps the library loaded.
    ///
    /// # Safety
    /// The library must be NVRTC 12 or later; only the names of its functions can be checked.
    pub(super) unsafe fn of(library: Library) -> Result<Self, libloading::Error> {
        // SAFETY: these are the types that `nvrtc.h` declares.
        let functions = unsafe {
            Functions {
                version: *library.get(c"nvrtcVersion")?,
                error_string: *library.get(c"nvrtcGetErrorString")?,
                count_architectures: *library.get(c"nvrtcGetNumSupportedArchs")?,
                architectures: *library.get(c"nvrtcGetSupportedArchs")?,
                create: *library.get(c"nvrtcCreateProgram")?,
                destroy: *library.get(c"nvrtcDestroyProgram")?,
                compile: *library.get(c"nvrtcCompileProgram")?,
                cubin_size: *library.get(c"nvrtcGetCUBINSize")?,
                cubin: *library.get(c"nvrtcGetCUBIN")?,
                ptx_size: *library.get(c"nvrtcGetPTXSize")?,
                ptx: *library.get(c"nvrtcGetPTX")?,
                log_size: *library.get(c"nvrtcGetProgramLogSize")?,
                log: *library.get(c"nvrtcGetProgramLog")?,
            }
        };
        std::mem::forget(library);
        Ok(functions)
    }
}
