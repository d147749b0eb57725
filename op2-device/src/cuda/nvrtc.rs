//! Compilation by NVRTC, NVIDIA's compiler library.
//!
//! NVRTC is loaded when it is first needed, so programs build and start without it. It compiles to machine code of the
//! exact GPU rather than to PTX, which a driver older than the compiler would refuse.

mod find;
mod report;

pub use crate::compile_options::Options;
pub use report::Report;

use crate::error::{Error, Result};
use crate::rtc::{Get, Names, Rtc, Size};
use std::ffi::c_int;
use std::path::Path;

/// Its name.
pub(super) const NAME: &str = "NVRTC";
/// The names of its library.
const NAMES: Names = Names { name: NAME, prefix: "nvrtc", code: ["GetCUBIN", "GetCUBINSize"], extension: "cu" };
/// The first version that is known to have the flag `--minimal`. With it, NVRTC declares neither textures nor functions of the run time, which no
/// text of ours names: a text of the tests takes 107 ms and not 124 to compile, to the same PTX (NVRTC 13.0, 2026-11-29).
const MINIMAL: (u32, u32) = (13, 0);

/// The compiler, loaded.
#[derive(Debug)]
pub struct Nvrtc {
    rtc: Rtc,
    own: Own,
}

/// Functions that this compiler alone has.
#[derive(Debug, Clone, Copy)]
struct Own {
    count_architectures: unsafe extern "C" fn(*mut c_int) -> c_int,
    architectures: unsafe extern "C" fn(*mut c_int) -> c_int,
    ptx_size: Size,
    ptx: Get,
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
        self.rtc.version
    }

    /// A text that differs between builds of one version, such as patch levels, since compiled texts depend on the
    /// build. Empty where the system does not tell.
    pub fn build(&self) -> &str {
        &self.rtc.build
    }

    /// The file that it was loaded from.
    pub fn file(&self) -> &str {
        &self.rtc.file
    }

    /// The compute capabilities that it supports, ascending: 90 is `sm_90`.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn architectures(&self) -> Result<Vec<u32>> {
        let mut count = 0;
        // SAFETY: the function writes one number.
        self.rtc.done("nvrtcGetNumSupportedArchs", unsafe { (self.own.count_architectures)(&mut count) })?;
        let mut found = vec![0 as c_int; usize::try_from(count).unwrap_or(0)];
        // SAFETY: the function writes as many numbers as it announced.
        self.rtc.done("nvrtcGetSupportedArchs", unsafe { (self.own.architectures)(found.as_mut_ptr()) })?;
        Ok(found.into_iter().filter_map(|arch| u32::try_from(arch).ok()).collect())
    }

    /// Compiles `text`, called `name` in messages, for `arch`: `sm_90` gives machine code for exactly that
    /// architecture, `compute_90` gives PTX that drivers compile for later ones.
    ///
    /// # Errors
    /// [`Error::Compile`] with the log if the text is at fault, [`Error::NoCompiler`] if the installation is,
    /// [`Error::Driver`] otherwise.
    pub fn compile(&self, name: &str, text: &str, arch: &str, options: Options) -> Result<Compiled> {
        let mut flags = flags(arch, options);
        if self.version() >= MINIMAL {
            flags.push("--minimal".to_owned());
        }
        let program = self.rtc.compile(name, text, &flags)?;
        let image = match arch.starts_with("compute_") {
            true => program.bytes(self.own.ptx_size, self.own.ptx)?,
            false => program.code()?,
        };
        Ok(Compiled { image, reports: report::read(&program.log), log: program.log.clone() })
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
