//! NVIDIA's machine code, read: `nvdisasm` disassembles a cubin, and the text shows what a kernel does. No GPU is needed.
//!
//! - `instruction` reads lines: opcode, predicate, registers that are read and written.
//! - `code` finds loops and puts instructions into sections: straight code and innermost loops, between barriers.
//! - `account` counts, section by section: instructions by pipe, bytes, waits for loads, loads in flight.
//!
//! Code that only rare operands reach, such as quotients of denormal numbers, and functions behind the kernel's end, do not count. Code of
//! far blocks counts apart.

mod account;
mod code;
mod instruction;

pub(crate) use account::{Account, Section};

use crate::{Error, Result, file_error};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the disassembler, or the folder that it is in.
const VARIABLE: &str = "OP2_NVDISASM";

/// NVIDIA's disassembler.
pub(crate) struct Disassembler {
    program: PathBuf,
    version: String,
}

impl Disassembler {
    /// The disassembler that `OP2_NVDISASM` names, or that is on the path.
    ///
    /// # Errors
    /// [`Error::NoDisassembler`].
    pub(crate) fn find() -> Result<Self> {
        let named = std::env::var_os(VARIABLE).map(PathBuf::from);
        let program =
            named.map_or_else(|| "nvdisasm".into(), |path| if path.is_dir() { path.join("nvdisasm") } else { path });
        let missing = |reason: String| Error::NoDisassembler {
            program: program.display().to_string(),
            variable: VARIABLE,
            reason,
        };
        let output = Command::new(&program).arg("--version").output().map_err(|e| missing(e.to_string()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version =
            text.lines().find_map(|line| line.split_once(", V")).map(|(_, version)| version.trim().to_owned());
        let version = version.ok_or_else(|| missing("it states no version".to_owned()))?;
        Ok(Disassembler { program, version })
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Accounts of the kernels of a cubin.
    ///
    /// # Errors
    /// The disassembler refuses the file, or a line of its output cannot be read.
    pub(crate) fn accounts(&self, cubin: &[u8]) -> Result<Vec<Account>> {
        let folder = tempfile::tempdir().map_err(file_error(&std::env::temp_dir()))?;
        let path = folder.path().join("image.cubin");
        std::fs::write(&path, cubin).map_err(file_error(&path))?;
        read(&self.text(&path)?)
    }

    fn text(&self, path: &Path) -> Result<String> {
        let output = Command::new(&self.program).arg("-c").arg(path).output().map_err(file_error(&self.program))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(Error::Disassembly { cause: String::from_utf8_lossy(&output.stderr).trim().to_owned() }),
        }
    }
}

/// Accounts of the kernels of a disassembled text, in its order.
pub(crate) fn read(text: &str) -> Result<Vec<Account>> {
    let kernels = instruction::kernels(text).map_err(|cause| Error::Disassembly { cause })?;
    Ok(kernels.iter().map(|kernel| Account::new(&kernel.name, &code::sections(&kernel.lines))).collect())
}

#[cfg(test)]
mod tests;
