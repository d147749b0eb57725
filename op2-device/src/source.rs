//! Translation units, independent of the compiler.

use crate::cache::replace;
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::{fs, io};

/// The text that precedes every generated text: the types and functions of the kernel language, and the building blocks
/// of the loops around a kernel.
pub const HEADER: &str = concat!(
    include_str!("headers/op2_device.cuh"),
    include_str!("headers/op2_data.cuh"),
    include_str!("headers/op2_loop.cuh"),
    include_str!("headers/op2_reduce.cuh"),
);

/// The environment variable that names a folder to which every text is written before it is compiled.
pub const DUMP: &str = "OP2_CUDA_DUMP";

/// One translation unit: [`HEADER`], definitions, text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The kernel's name, for messages.
    pub name: String,
    /// Definitions ahead of the text.
    pub definitions: Vec<Definition>,
    /// The generated text.
    pub text: Cow<'static, str>,
    /// The `extern "C" __global__` functions in the text.
    pub kernels: Vec<String>,
}

/// A definition ahead of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// `#define name value`
    Macro(String, String),
    /// A number that depends on the mesh. A GPU's compiler gets the number; the emulator looks it up at run time, so
    /// that one compiled text serves all meshes.
    Value(String, u64),
    /// Lines, copied unchanged.
    Lines(String),
}

impl Source {
    /// The text for NVRTC.
    pub fn cuda(&self) -> String {
        format!("{HEADER}{}", self.folded())
    }

    /// The part of [`Source::cuda`] behind [`HEADER`]; values are written as numbers.
    pub fn folded(&self) -> String {
        self.written(|_, value| format!("{value}ull"))
    }

    /// Writes the text for NVRTC to a file in `folder`. The file's name is the source's, with a hash that distinguishes
    /// texts of the same name.
    ///
    /// # Errors
    /// [`Error::Dump`] with the path and the system's reason.
    pub fn dump(&self, folder: &Path) -> Result<()> {
        let text = self.cuda();
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = folder.join(format!("{}-{:016x}.cu", self.name, hasher.finish()));
        let fault =
            |e: io::Error| Error::Dump { path: path.display().to_string(), reason: e.to_string(), variable: DUMP };
        fs::create_dir_all(folder).and_then(|()| replace(&path, &[text.as_bytes()])).map_err(fault)
    }

    /// The text for the emulator's compiler behind [`HEADER`]; values are looked up in a table `op2_values`.
    pub fn emulated(&self) -> String {
        self.written(|n, _| format!("(op2_values[{n}])"))
    }

    /// The index of this definition in [`Source::values`].
    pub fn place_of_value(&self, name: &str) -> Option<usize> {
        let values = self.definitions.iter().filter_map(|d| match d {
            Definition::Value(name, _) => Some(name),
            _ => None,
        });
        values.into_iter().position(|value| value == name)
    }

    /// The numbers that depend on the mesh, in order.
    pub fn values(&self) -> Vec<u64> {
        let value = |d: &Definition| match d {
            Definition::Value(_, value) => Some(*value),
            _ => None,
        };
        self.definitions.iter().filter_map(value).collect()
    }

    fn written(&self, value: impl Fn(usize, u64) -> String) -> String {
        let mut out = String::new();
        let mut values = 0;
        for definition in &self.definitions {
            let line = match definition {
                Definition::Macro(name, text) => format!("#define {name} {text}"),
                Definition::Value(name, number) => {
                    values += 1;
                    format!("#define {name} {}", value(values - 1, *number))
                }
                Definition::Lines(lines) => lines.clone(),
            };
            writeln!(out, "{line}").expect("writing to a string");
        }
        out.push_str(&self.text);
        out
    }
}
