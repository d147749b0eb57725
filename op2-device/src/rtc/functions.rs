//! The functions of such a library.

use super::Words;
use libloading::Library;
use std::ffi::{c_char, c_int, c_void};

/// `nvrtcProgram`
pub(crate) type Handle = *mut c_void;
/// A function that returns the length of a result.
pub(crate) type Size = unsafe extern "C" fn(Handle, *mut usize) -> c_int;
/// A function that writes a result.
pub(crate) type Get = unsafe extern "C" fn(Handle, *mut c_char) -> c_int;
type Strings = *const *const c_char;
type Create = unsafe extern "C" fn(*mut Handle, *const c_char, *const c_char, c_int, Strings, Strings) -> c_int;

/// The functions that are used of all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Functions {
    pub(super) version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
    pub(super) error_string: unsafe extern "C" fn(c_int) -> *const c_char,
    pub(super) create: Create,
    pub(super) destroy: unsafe extern "C" fn(*mut Handle) -> c_int,
    pub(super) compile: unsafe extern "C" fn(Handle, c_int, Strings) -> c_int,
    pub(super) code_size: Size,
    pub(super) code: Get,
    pub(super) log_size: Size,
    pub(super) log: Get,
}

impl Functions {
    /// Looks all functions up.
    ///
    /// # Safety
    /// The library must be the compiler of these words, and stay loaded; only the names of its functions can be checked.
    pub(super) unsafe fn of(library: &Library, words: &Words) -> Result<Self, libloading::Error> {
        let name = |function: &str| [words.prefix, function].concat();
        let [code, code_size] = words.code;
        // SAFETY: these are the types that `nvrtc.h` and `hiprtc.h` declare.
        let functions = unsafe {
            Functions {
                version: *library.get(name("Version"))?,
                error_string: *library.get(name("GetErrorString"))?,
                create: *library.get(name("CreateProgram"))?,
                destroy: *library.get(name("DestroyProgram"))?,
                compile: *library.get(name("CompileProgram"))?,
                code_size: *library.get(name(code_size))?,
                code: *library.get(name(code))?,
                log_size: *library.get(name("GetProgramLogSize"))?,
                log: *library.get(name("GetProgramLog"))?,
            }
        };
        Ok(functions)
    }
}
