//! Compilation by NVRTC, NVIDIA's compiler library.
//!
//! NVRTC is loaded when it is first needed, so programs build and start without it. It compiles to machine code of the
//! exact GPU rather than to PTX, which a driver older than the compiler would refuse.

mod build;
mod find;
mod functions;
mod report;

pub use super::options::Options;
pub use report::Report;

use crate::error::{Error, Result};
use functions::Functions;
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr;

/// The compiler, loaded.
#[derive(Debug)]
pub struct Nvrtc {
    functions: Functions,
    version: (u32, u32),
    build: String,
    from: String,
}

/// The result of a compilation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// A cubin, or PTX with a null byte at its end for a `compute_` architecture.
    pub image: Vec<u8>,
    /// The compiler's log: warnings, and the lines from which the reports are made.
    pub log: String,
    /// Resources of every kernel, in the order of the log; empty for PTX.
    pub reports: Vec<Report>,
}

/// Result codes of NVRTC that are handled separately.
const COMPILATION: c_int = 6;
const BUILTINS: c_int = 7;

impl Nvrtc {
    /// Loads the newest NVRTC that is found: in the file or folder `OP2_NVRTC`, else by name through the loader, else
    /// in the usual places of a CUDA toolkit.
    ///
    /// # Errors
    /// [`Error::NoCompiler`], with the places that were searched.
    pub fn load() -> Result<Self> {
        Self::load_for(u32::MAX)
    }

    /// As [`Nvrtc::load`], but prefers versions up to `major`: a driver does not know the machine code of a compiler
    /// with a later major version.
    ///
    /// # Errors
    /// [`Error::NoCompiler`], with the places that were searched.
    pub fn load_for(major: u32) -> Result<Self> {
        find::load(&find::Places::of_this_machine(), major)
    }

    /// Loads NVRTC from a file.
    ///
    /// # Errors
    /// [`Error::NoCompiler`].
    pub fn load_file(file: &Path) -> Result<Self> {
        find::load_file(file).map_err(|cure| Error::NoCompiler { what: "NVRTC", cure })
    }

    /// Major and minor version.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// A text that differs between builds of one version, such as patch levels, since compiled texts depend on the
    /// build. Empty where the system does not tell.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// The file that it was loaded from.
    pub fn file(&self) -> &str {
        &self.from
    }

    /// The compute capabilities that it supports, ascending: 90 is `sm_90`.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn architectures(&self) -> Result<Vec<u32>> {
        let mut count = 0;
        // SAFETY: the function writes one number.
        self.done("nvrtcGetNumSupportedArchs", unsafe { (self.functions.count_architectures)(&mut count) })?;
        let mut found = vec![0 as c_int; usize::try_from(count).unwrap_or(0)];
        // SAFETY: the function writes as many numbers as it announced.
        self.done("nvrtcGetSupportedArchs", unsafe { (self.functions.architectures)(found.as_mut_ptr()) })?;
        Ok(found.into_iter().filter_map(|arch| u32::try_from(arch).ok()).collect())
    }

    /// Compiles `text`, called `name` in messages, for `arch`: `sm_90` gives machine code for exactly that
    /// architecture, `compute_90` gives PTX that drivers compile for later ones.
    ///
    /// # Errors
    /// [`Error::Compile`] with the log if the text is at fault, [`Error::NoCompiler`] if the installation is,
    /// [`Error::Driver`] otherwise.
    pub fn compile(&self, name: &str, text: &str, arch: &str, options: Options) -> Result<Compiled> {
        let refused = |log: &str| Error::Compile { name: name.to_owned(), log: log.to_owned() };
        let words = |text: String| CString::new(text).map_err(|_| refused("a null character is in the text"));
        let flags = flags(arch, options).into_iter().map(words).collect::<Result<Vec<_>>>()?;
        let flags: Vec<*const c_char> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let program = Program::new(self, &words(format!("{name}.cu"))?, &words(text.to_owned())?)?;
        let count = c_int::try_from(flags.len()).expect("a handful of options");
        // SAFETY: the program is alive, and there are `count` strings, each with a null at its end.
        let code = unsafe { (self.functions.compile)(program.handle, count, flags.as_ptr()) };
        let log = program.text(self.functions.log_size, self.functions.log)?;
        let log = String::from_utf8_lossy(log.strip_suffix(b"\0").unwrap_or(&log)).trim().to_owned();
        match code {
            COMPILATION => return Err(refused(&log)),
            BUILTINS => return Err(Error::NoCompiler { what: "a part of NVRTC", cure: log }),
            _ => self.done("nvrtcCompileProgram", code).map_err(|e| with_log(e, &log))?,
        }
        let image = match arch.starts_with("compute_") {
            true => program.text(self.functions.ptx_size, self.functions.ptx)?,
            false => program.text(self.functions.cubin_size, self.functions.cubin)?,
        };
        Ok(Compiled { image, reports: report::read(&log), log })
    }

    fn done(&self, call: &'static str, code: c_int) -> Result<()> {
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
        Err(Error::Driver { call, reason: format!("{name} ({code})") })
    }
}

/// The options as command-line flags of NVRTC.
pub(crate) fn flags(arch: &str, options: Options) -> Vec<String> {
    let mut flags =
        vec![format!("--gpu-architecture={arch}"), "--std=c++17".to_owned(), format!("--fmad={}", options.fmad)];
    if options.kernel_checks {
        flags.push("--define-macro=OP2_KERNEL_CHECKS".to_owned());
    }
    if !arch.starts_with("compute_") {
        // The reports are read from this output.
        flags.push("--ptxas-options=-v".to_owned());
        // Profilers show lines of the text. The code is the same.
        flags.push("--generate-line-info".to_owned());
    }
    flags
}

fn with_log(error: Error, log: &str) -> Error {
    match error {
        Error::Driver { call, reason } if !log.is_empty() => Error::Driver { call, reason: format!("{reason}\n{log}") },
        other => other,
    }
}

/// A translation unit that NVRTC holds.
struct Program<'a> {
    nvrtc: &'a Nvrtc,
    handle: functions::Program,
}

impl<'a> Program<'a> {
    fn new(nvrtc: &'a Nvrtc, name: &CStr, text: &CStr) -> Result<Self> {
        let mut handle = ptr::null_mut();
        // SAFETY: both strings outlive the call, which copies them; there are no headers.
        let code =
            unsafe { (nvrtc.functions.create)(&mut handle, text.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null()) };
        nvrtc.done("nvrtcCreateProgram", code)?;
        Ok(Program { nvrtc, handle })
    }

    /// Calls a pair of functions, of which the first returns the size of the second one's text.
    fn text(&self, size: functions::Size, get: functions::Get) -> Result<Vec<u8>> {
        let mut bytes = 0;
        // SAFETY: the program is alive; the function writes one number.
        self.nvrtc.done("asking NVRTC for a size", unsafe { size(self.handle, &mut bytes) })?;
        let mut text = vec![0u8; bytes];
        // SAFETY: the function writes as many bytes as announced.
        self.nvrtc.done("asking NVRTC for its results", unsafe { get(self.handle, text.as_mut_ptr().cast()) })?;
        Ok(text)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: this library created the program, and nothing uses it any more. A failure to free it is harmless.
        unsafe { (self.nvrtc.functions.destroy)(&mut self.handle) };
    }
}
