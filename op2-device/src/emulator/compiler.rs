//! Compiles texts to libraries by the host's C++ compiler: once per machine and text thanks to the cache, and once per
//! process for all threads.

use super::library::Library;
use super::{Options, SHARED_PER_BLOCK};
use crate::error::{Error, Result};
use crate::language::language;
use crate::log;
use crate::source::Source;
use op2_cache::{Cache, Key};
use std::collections::HashMap;
use std::fmt::Write;
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Instant;
use std::{env, fs, io};

const ENVIRONMENT: &str = include_str!("op2_environment.hpp");
const PROLOGUE: &str = include_str!("op2_emulator.hpp");
/// Is linked with every text that is checked.
const ACCESSES: &str = include_str!("op2_accesses.cpp");

const FLAGS: &[&str] = &[
    "-std=c++17",
    "-O1",
    "-w",
    "-pipe",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-exceptions",
    // Rounds every operation, as the text does.
    "-ffp-contract=off",
    // CUDA code may read words that were written as doubles.
    "-fno-strict-aliasing",
];
const LINK: &[&str] = &[
    "-shared",
    // The sanitizer's functions are those of `ACCESSES`, so its library is not linked.
    "-nodefaultlibs",
    "-Wl,-z,defs",
    "-Wl,-z,now",
];
const LIBRARIES: &[&str] = &["-lm", "-lc", "-lgcc"];
const SANITIZE: &str = "-fsanitize=thread";
/// Without it GCC takes `-(float)n + 0.0f` for `-(float)n`, which is -0 for the integer 0.
const ZEROS_OF_GCC: &str = "-frounding-math";
/// Reports volatile accesses by functions of their own.
const CHECKS_OF_GCC: &[&str] = &["--param=tsan-distinguish-volatile=1"];
/// The same, and reports reads ahead of writes to the same place.
const CHECKS_OF_CLANG: &[&str] =
    &["-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-read-before-write=1"];

/// A compiler of the host.
pub(super) struct Compiler {
    /// Its name, and the arguments that `CXX` adds.
    command: Vec<String>,
    /// The version that it prints.
    version: String,
    /// The object that `ACCESSES` compiles to, once a text needs it.
    accesses: Mutex<Option<Vec<u8>>>,
}

/// The compiler of this process.
pub(super) fn find() -> Result<&'static Compiler> {
    static FOUND: OnceLock<Result<Compiler>> = OnceLock::new();
    FOUND.get_or_init(|| Compiler::named(env::var("CXX").ok())).as_ref().map_err(Clone::clone)
}

/// Compiles and loads a source; equal sources share a library.
pub(super) fn library(source: &Source, options: Options, cache: &Cache) -> Result<Arc<Library>> {
    static LOADED: LazyLock<Loaded> = LazyLock::new(Loaded::default);
    LOADED.library(find()?, source, options, cache)
}

/// Libraries by text, the number of values that it looks up, and options.
#[derive(Default)]
struct Loaded(Mutex<HashMap<(String, usize, Choices), Slot>>);

/// The options that a text is compiled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Choices {
    checks: bool,
    kernel_checks: bool,
    wave: u32,
}

/// The first thread that wants the library fills this, while others wait.
type Slot = Arc<Mutex<Option<Arc<Library>>>>;

impl Loaded {
    fn library(&self, compiler: &Compiler, source: &Source, options: Options, cache: &Cache) -> Result<Arc<Library>> {
        let Options { checks, kernel_checks, .. } = options;
        let choices = Choices { checks, kernel_checks, wave: options.wave() };
        let text = of_source(source, options.folded);
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = loaded.entry((text.clone(), source.values().len(), choices)).or_default().clone();
        drop(loaded);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = &*slot {
            return Ok(library.clone());
        }
        let unit = [ENVIRONMENT, PROLOGUE, language(source.target).header, &text].concat();
        let payload = compiler.compiled(source, &unit, choices, cache)?;
        let library = Arc::new(Library::new(source, payload)?);
        Ok(slot.insert(library).clone())
    }
}

/// The text behind the headers: definitions, generated text, table of kernels.
fn of_source(source: &Source, folded: bool) -> String {
    let mut text = if folded { source.folded() } else { source.emulated() };
    text.push_str("\nOP2_KERNELS(");
    for kernel in &source.kernels {
        write!(text, "OP2_KERNEL({kernel}) ").expect("writing to a string");
    }
    text.push_str(")\n");
    text
}

impl Compiler {
    /// The compiler with this name, which arguments may follow, or the default one.
    fn named(name: Option<String>) -> Result<Self> {
        let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "c++".into());
        let command: Vec<String> = name.split_whitespace().map(String::from).collect();
        let missing = |why: String| Error::NoCompiler {
            what: "a C++ compiler",
            cure: format!("`{name} --version` {why}; install g++ or clang++, or name the compiler in the variable CXX"),
        };
        let output = Command::new(&command[0]).args(&command[1..]).arg("--version").output();
        let output = output.map_err(|e| missing(format!("does not start ({e})")))?;
        if !output.status.success() {
            return Err(missing(format!("fails ({})", output.status)));
        }
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Compiler { command, version, accesses: Mutex::default() })
    }

    /// The bytes of a library, from the cache if possible.
    fn compiled(&self, source: &Source, unit: &str, choices: Choices, cache: &Cache) -> Result<Vec<u8>> {
        let flags = self.flags(source.values().len(), choices);
        let key = Key::of(&[
            ("machine", format!("emulator on {} {}", env::consts::ARCH, env::consts::OS).as_bytes()),
            ("compiler", self.version.as_bytes()),
            ("command", self.command.join(" ").as_bytes()),
            ("flags", format!("{} {}", flags.join(" "), LINK.join(" ")).as_bytes()),
            ("accesses", ACCESSES.as_bytes()),
            ("text", unit.as_bytes()),
        ]);
        if let Some(payload) = cache.get(&key) {
            return Ok(payload);
        }
        let start = Instant::now();
        let payload = self.library(&source.name, unit, &flags, choices.checks)?;
        log::compiled(&source.name, &self.command.join(" "), start);
        // A cache that cannot be written only costs time.
        let _ = cache.put(&key, &payload);
        Ok(payload)
    }

    /// Compiles a unit to a library.
    fn library(&self, name: &str, unit: &str, flags: &[String], checks: bool) -> Result<Vec<u8>> {
        let accesses = if checks { Some(self.accesses(name)?) } else { None };
        let mut files = vec![("text.cpp", unit.as_bytes())];
        files.extend(accesses.as_ref().map(|object| ("accesses.o", &object[..])));
        let flags: Vec<&str> = flags.iter().map(String::as_str).chain(LINK.iter().copied()).collect();
        self.run(name, &files, &flags, LIBRARIES)
    }

    /// The object with the functions that report accesses.
    fn accesses(&self, name: &str) -> Result<Vec<u8>> {
        let mut compiled = self.accesses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(object) = &*compiled {
            return Ok(object.clone());
        }
        let unit = [ENVIRONMENT, ACCESSES].concat();
        let flags: Vec<&str> = FLAGS.iter().copied().chain(["-DOP2_CHECKED", "-c"]).collect();
        let object = self.run(name, &[("accesses.cpp", unit.as_bytes())], &flags, &[])?;
        Ok(compiled.insert(object).clone())
    }

    fn flags(&self, values: usize, choices: Choices) -> Vec<String> {
        let Choices { checks, kernel_checks, wave } = choices;
        let mut flags: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
        flags.push(format!("-DOP2_VALUES={values}"));
        flags.push(format!("-DOP2_ARENA_BYTES={SHARED_PER_BLOCK}"));
        flags.push(format!("-DOP2_WAVE={wave}"));
        if kernel_checks {
            flags.push("-DOP2_KERNEL_CHECKS".to_owned());
        }
        let is_clang = self.version.contains("clang");
        if !is_clang {
            flags.push(ZEROS_OF_GCC.to_owned());
        }
        if checks {
            let more = if is_clang { CHECKS_OF_CLANG } else { CHECKS_OF_GCC };
            flags.extend(["-DOP2_CHECKED", SANITIZE].iter().chain(more).map(ToString::to_string));
        }
        flags
    }

    /// The bytes that the compiler makes of some files.
    fn run(&self, name: &str, files: &[(&str, &[u8])], flags: &[&str], libraries: &[&str]) -> Result<Vec<u8>> {
        const MADE: &str = "made";
        let no_file = |e: io::Error| Error::Compile { name: name.into(), log: format!("no temporary file: {e}") };
        let folder = tempfile::Builder::new().prefix("op2-").tempdir().map_err(no_file)?;
        let mut command = Command::new(&self.command[0]);
        // Relative names keep the folder out of messages.
        command.current_dir(&folder).args(&self.command[1..]).args(flags).args(["-o", MADE]);
        for (file, content) in files {
            fs::write(folder.path().join(file), content).map_err(no_file)?;
            command.arg(file);
        }
        let output = command.args(libraries).output().map_err(|e| Error::NoCompiler {
            what: "a C++ compiler",
            cure: format!("`{}` does not start any more ({e})", self.command[0]),
        })?;
        if !output.status.success() {
            let log = format!("{}{}", String::from_utf8_lossy(&output.stderr), output.status);
            return Err(Error::Compile { name: name.into(), log });
        }
        fs::read(folder.path().join(MADE)).map_err(no_file)
    }
}

#[cfg(test)]
mod tests;
