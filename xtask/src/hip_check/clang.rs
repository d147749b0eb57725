//! The distribution's clang as a compiler for AMD's GPUs.

use op2_device::hip::{self, Options};
use op2_device::{Error, Result};
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// The first version that knows gfx942.
const OLDEST: u32 = 17;
/// Newer versions than this have other names than these.
const NEWEST: u32 = 25;

/// A clang.
pub(super) struct Clang {
    name: String,
    /// The first line of the version that it prints.
    pub(super) version: String,
}

impl Clang {
    /// The one that the variable `CLANG` names, else the newest that is installed by a name with a number, else `clang`.
    pub(super) fn find() -> Result<Self> {
        let named = env::var("CLANG").ok().filter(|name| !name.is_empty());
        let names = match named {
            Some(name) => vec![name],
            None => {
                (OLDEST..=NEWEST).rev().map(|n| format!("clang-{n}")).chain(["clang".to_owned()]).collect::<Vec<_>>()
            }
        };
        let suits = |version: &str| number(version).is_some_and(|number| number >= OLDEST);
        let found = names.iter().find_map(|name| {
            let output = Command::new(name).arg("--version").output().ok()?;
            let version = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
            suits(&version).then(|| Clang { name: name.clone(), version })
        });
        found.ok_or_else(|| Error::NoCompiler {
            what: "clang for AMD's GPUs",
            cure: format!(
                "looked for `{}`; install clang {OLDEST} or newer, or name it in `CLANG`",
                names.join("`, `")
            ),
        })
    }

    /// The assembly of a text for an architecture, and the messages. The header in which clang has HIP's mathematical functions, those
    /// of ROCm's own headers, takes the place of these; the functions of ROCm's libraries that it calls stay open.
    pub(super) fn compile(&self, name: &str, text: &str, arch: &str, options: Options) -> Result<(String, String)> {
        let failed = |log: String| Error::Compile { name: name.to_owned(), log };
        let no_file = |e: io::Error| failed(format!("no temporary file: {e}"));
        let folder = tempfile::tempdir().map_err(no_file)?;
        let file = Path::new("text.hip");
        fs::write(folder.path().join(file), hip::text(text)).map_err(no_file)?;
        let mut command = Command::new(&self.name);
        command.current_dir(&folder).args([
            "-x",
            "hip",
            "--cuda-device-only",
            "-nogpulib",
            "-nogpuinc",
            "-S",
            "-o",
            "-",
        ]);
        // As ROCm's compiler library does.
        command.args(["-D__HIPCC_RTC__", "-include", "__clang_hip_runtime_wrapper.h"]);
        command.args(hip::flags(arch, hip::wave(arch), options)).arg(file);
        let output = command.output().map_err(|e| failed(format!("`{}` does not start any more ({e})", self.name)))?;
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.success() {
            true => Ok((String::from_utf8_lossy(&output.stdout).into_owned(), log)),
            false => Err(failed(log)),
        }
    }
}

/// The major version in clang's first line.
fn number(version: &str) -> Option<u32> {
    let (_, behind) = version.split_once("clang version ")?;
    behind.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(number("Debian clang version 19.1.7 (3~deb12u1)"), Some(19));
        assert_eq!(number("clang version 17.0.6"), Some(17));
        assert_eq!(number("gcc (Debian 12.2.0-14) 12.2.0"), None);
    }
}
