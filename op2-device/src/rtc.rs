//! Libraries that compile at run time. NVIDIA's NVRTC and ROCm's hiprtc have the same functions, with other prefixes.

mod build;
mod functions;

use crate::error::{Error, Result};
use crate::library::told;
use functions::Functions;
pub(crate) use functions::{Get, Handle, Size};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr;

/// The words of a vendor.
#[derive(Debug)]
pub(crate) struct Words {
    /// The name of the library.
    pub(crate) name: &'static str,
    /// What the names of its functions begin with.
    pub(crate) prefix: &'static str,
    /// The function that returns machine code, and the one that returns its length, without the prefix.
    pub(crate) code: [&'static str; 2],
    /// The extension of the names of texts.
    pub(crate) extension: &'static str,
}

/// A compiler, loaded.
#[derive(Debug)]
pub(crate) struct Rtc {
    functions: Functions,
    words: &'static Words,
    pub(crate) version: (u32, u32),
    /// Differs between builds of one version.
    pub(crate) build: String,
    pub(crate) file: String,
}

/// Result codes that are handled separately; both vendors have the same.
const COMPILATION: c_int = 6;
const BUILTINS: c_int = 7;

impl Rtc {
    /// Loads the library from a file, or by name from the loader's path; returns it too, for further functions. It stays loaded. The
    /// error is the reason as text.
    pub(crate) fn load(file: &Path, words: &'static Words) -> Result<(Self, &'static Library), String> {
        let shown = file.display();
        let reason = |e: libloading::Error| format!("{shown}, which is not usable: {}", told(&e));
        // SAFETY: the library's initialisers only set up the library itself.
        let library = unsafe { Library::new(file) }.map_err(reason)?;
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: by its name, or by the user's word, the file is the compiler.
        let functions = unsafe { Functions::of(library, words) }.map_err(reason)?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the function writes two numbers.
        if unsafe { (functions.version)(&mut major, &mut minor) } != 0 {
            return Err(format!("{shown}, which does not tell its version"));
        }
        let version = (u32::try_from(major).unwrap_or(0), u32::try_from(minor).unwrap_or(0));
        let build = build::of(functions.version as *const () as usize);
        Ok((Rtc { functions, words, version, build, file: shown.to_string() }, library))
    }

    /// Compiles `text`, called `name` in messages, with these options.
    ///
    /// # Errors
    /// [`Error::Compile`] with the log if the text is at fault, [`Error::NoCompiler`] if the installation is,
    /// [`Error::Driver`] otherwise.
    pub(crate) fn compile(&self, name: &str, text: &str, flags: &[String]) -> Result<Program<'_>> {
        let refused = |log: &str| Error::Compile { name: name.to_owned(), log: log.to_owned() };
        let words = |text: &str| CString::new(text).map_err(|_| refused("a null character is in the text"));
        let flags = flags.iter().map(|flag| words(flag)).collect::<Result<Vec<_>>>()?;
        let flags: Vec<*const c_char> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let name = words(&format!("{name}.{}", self.words.extension))?;
        let mut program = Program::new(self, &name, &words(text)?)?;
        let count = c_int::try_from(flags.len()).expect("a handful of options");
        // SAFETY: the program is alive, and there are `count` strings, each with a null at its end.
        let code = unsafe { (self.functions.compile)(program.handle, count, flags.as_ptr()) };
        let log = program.bytes(self.functions.log_size, self.functions.log)?;
        program.log = String::from_utf8_lossy(log.strip_suffix(b"\0").unwrap_or(&log)).trim().to_owned();
        match code {
            COMPILATION => Err(refused(&program.log)),
            BUILTINS => Err(Error::NoCompiler { what: "a part of the compiler", cure: program.log.clone() }),
            _ => match self.done("compiling", code) {
                Ok(()) => Ok(program),
                Err(error) => Err(with_log(error, &program.log)),
            },
        }
    }

    /// The result of a call.
    pub(crate) fn done(&self, call: &'static str, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the function accepts any number, and its strings live as long as the library, which is never
        // unloaded.
        let name = unsafe { (self.functions.error_string)(code) };
        let name = match name.is_null() {
            true => "an unknown result".into(),
            // SAFETY: it is a string of C.
            false => unsafe { CStr::from_ptr(name) }.to_string_lossy(),
        };
        Err(Error::Driver { call, reason: format!("{} answers {name} ({code})", self.words.name) })
    }
}

fn with_log(error: Error, log: &str) -> Error {
    match error {
        Error::Driver { call, reason } if !log.is_empty() => Error::Driver { call, reason: format!("{reason}\n{log}") },
        other => other,
    }
}

/// A translation unit that the library holds.
pub(crate) struct Program<'a> {
    rtc: &'a Rtc,
    handle: Handle,
    /// The compiler's messages.
    pub(crate) log: String,
}

impl<'a> Program<'a> {
    fn new(rtc: &'a Rtc, name: &CStr, text: &CStr) -> Result<Self> {
        let mut handle = ptr::null_mut();
        let create = rtc.functions.create;
        // SAFETY: both strings outlive the call, which copies them; there are no headers.
        let code = unsafe { create(&mut handle, text.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null()) };
        rtc.done("handing a text over", code)?;
        Ok(Program { rtc, handle, log: String::new() })
    }

    /// The machine code.
    pub(crate) fn code(&self) -> Result<Vec<u8>> {
        self.bytes(self.rtc.functions.code_size, self.rtc.functions.code)
    }

    /// Calls a pair of functions of the library, of which the first returns the size of the second one's bytes.
    pub(crate) fn bytes(&self, size: Size, get: Get) -> Result<Vec<u8>> {
        let mut bytes = 0;
        // SAFETY: the program is alive; the function writes one number.
        self.rtc.done("asking the compiler for a size", unsafe { size(self.handle, &mut bytes) })?;
        let mut text = vec![0u8; bytes];
        // SAFETY: the function writes as many bytes as announced.
        self.rtc.done("asking the compiler for its results", unsafe { get(self.handle, text.as_mut_ptr().cast()) })?;
        Ok(text)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: this library created the program, and nothing uses it any more. A failure to free it is harmless.
        unsafe { (self.rtc.functions.destroy)(&mut self.handle) };
    }
}
