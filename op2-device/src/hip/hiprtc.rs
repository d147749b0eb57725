//! Compilation by hiprtc, ROCm's compiler library. It is loaded when it is first needed.

use crate::error::{Error, Result};
use crate::rtc::{Rtc, Words};
use std::path::{Path, PathBuf};

/// Its name.
pub(super) const NAME: &str = "hiprtc";
/// The names of its library.
const WORDS: Words = Words { name: NAME, prefix: "hiprtc", code: ["GetCode", "GetCodeSize"], extension: "hip" };

/// The files in which it may be, best first; versions before 6 have it in HIP's own library, too.
const FILES: [&str; 5] =
    ["libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so", "/opt/rocm/lib/libhiprtc.so", "libamdhip64.so.5"];

/// The compiler, loaded.
#[derive(Debug)]
pub struct Hiprtc(Rtc);

impl Hiprtc {
    /// Loads hiprtc: the file that `OP2_HIPRTC` names, else the first that is found by name through the loader, or in ROCm's folder.
    ///
    /// # Errors
    /// [`Error::NoCompiler`], with the places that were searched.
    pub fn load() -> Result<Self> {
        match std::env::var_os("OP2_HIPRTC").filter(|named| !named.is_empty()) {
            Some(named) => Self::load_first(&[PathBuf::from(named)]),
            None => Self::load_first(&FILES.map(PathBuf::from)),
        }
    }

    fn load_first(files: &[PathBuf]) -> Result<Self> {
        let mut reasons = Vec::new();
        for file in files {
            match Rtc::load(file, &WORDS) {
                Ok((rtc, _)) => return Ok(Hiprtc(rtc)),
                Err(reason) => reasons.push(reason),
            }
        }
        let cure = format!("{}. It is a part of ROCm; name it in `OP2_HIPRTC` if it is elsewhere", reasons.join("; "));
        Err(Error::NoCompiler { what: NAME, cure })
    }

    /// Loads hiprtc from a file.
    ///
    /// # Errors
    /// [`Error::NoCompiler`].
    pub fn load_file(file: &Path) -> Result<Self> {
        Self::load_first(&[file.to_owned()])
    }

    /// Major and minor version.
    pub fn version(&self) -> (u32, u32) {
        self.0.version
    }

    /// The file that it was loaded from.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// A text that differs between builds of one version. Empty where the system does not tell.
    pub fn build(&self) -> &str {
        &self.0.build
    }

    /// Compiles `text`, called `name` in messages, with these [`flags`](super::flags).
    ///
    /// # Errors
    /// [`Error::Compile`] with the log if the text is at fault, [`Error::NoCompiler`] if the installation is,
    /// [`Error::Driver`] otherwise.
    pub fn compile(&self, name: &str, text: &str, flags: &[String]) -> Result<Vec<u8>> {
        self.0.compile(name, text, flags)?.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_named() {
        let said = Hiprtc::load_file(Path::new("/absent/libhiprtc.so")).unwrap_err().to_string();
        assert!(said.contains("hiprtc was not found: /absent/libhiprtc.so") && said.contains("OP2_HIPRTC"), "{said}");
    }
}
