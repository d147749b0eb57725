//! Compiles for one GPU, with a cache on disk.

use crate::error::{Error, Result};
use crate::log;
use op2_cache::{Cache, Key};
use std::time::Instant;

/// A vendor's compiler for one GPU.
pub(crate) trait Compile: Send + Sync {
    /// Its name, for the log.
    fn name(&self) -> &'static str;

    /// All that the machine code of a text depends on, with the names of these parts.
    fn inputs(&self) -> Vec<(&'static str, String)>;

    /// A text as the compiler takes it.
    fn written(&self, text: String) -> String {
        text
    }

    /// The machine code of a text.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::NoCompiler`], [`Error::Driver`].
    fn compile(&self, name: &str, text: &str) -> Result<Vec<u8>>;

    /// Adds a likely reason why the driver refused machine code.
    fn explained(&self, refusal: Error) -> Error {
        refusal
    }
}

/// A compiler and the cache of what it made.
pub(super) struct Compiler {
    of: Box<dyn Compile>,
    cache: Cache,
    /// Whether kernels report what panics on a CPU.
    pub(super) kernel_checks: bool,
}

impl Compiler {
    pub(super) fn new(of: Box<dyn Compile>, kernel_checks: bool) -> Self {
        Compiler { of, cache: Cache::open(), kernel_checks }
    }

    /// A text as the compiler takes it.
    pub(super) fn written(&self, text: String) -> String {
        self.of.written(text)
    }

    /// The key of a text: everything that its machine code depends on.
    pub(super) fn key(&self, text: &str) -> Key {
        let inputs = self.of.inputs();
        let parts: Vec<(&str, &[u8])> = inputs.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
        Key::of(&[&parts[..], &[("text", text.as_bytes())]].concat())
    }

    /// Machine code from the cache on disk; if it is missing, compiles it and stores it there.
    pub(super) fn compiled(&self, name: &str, text: &str, key: &Key) -> Result<Vec<u8>> {
        if let Some(image) = self.cache.get(key) {
            return Ok(image);
        }
        let start = Instant::now();
        let image = self.of.compile(name, text)?;
        log::compiled(name, self.of.name(), start);
        // Without a cache, the next start compiles again.
        let _ = self.cache.put(key, &image);
        Ok(image)
    }

    /// Adds a likely reason why the driver refused machine code.
    pub(super) fn explained(&self, refusal: Error) -> Error {
        self.of.explained(refusal)
    }
}
