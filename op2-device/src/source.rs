//! Translation units, independent of the compiler.

use crate::error::{Error, Result};
use crate::language::language;
use op2_cache::replace;
use op2_core::{Literal, Target};
use std::borrow::Cow;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::{fs, io};

/// The environment variable that names a folder to which every text is written before it is compiled.
pub const DUMP: &str = "OP2_CUDA_DUMP";

/// The table of sizes in a module.
pub(crate) const SIZES: &str = "op2_sizes";

/// The head of a kernel in a generated text, up to its name.
const HEAD: &str = "extern \"C\" __global__ void __launch_bounds__(OP2_BLOCK)\n";
/// The head of one that is left out: nobody asks for an instance of the template, so compilers read it and go no further.
const HEAD_OF_LEFT_OUT: &str = "template <int> __device__ void\n";

/// One translation unit: the header of its language, definitions, text.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Its language.
    pub target: Target,
    /// The kernel's name, for messages.
    pub name: String,
    /// Definitions ahead of the text.
    pub definitions: Vec<Definition>,
    /// The generated text.
    pub text: Cow<'static, str>,
    /// The names of the kernels in the text.
    pub kernels: Vec<String>,
}

/// A definition ahead of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    /// `#define name value`
    Macro(String, String),
    /// A number that depends on the mesh. A GPU's compiler gets the number; the emulator looks it up at run time, so
    /// that one compiled text serves all meshes.
    Value(String, u64),
    /// A size of the mesh, which changes as sets grow. Every machine looks it up, so that growth compiles nothing.
    Size(String, u64),
    /// Constants of the kernel language, by name.
    Constants(Vec<(String, Literal)>),
    /// A kernel of the text that is not started. Compilers of GPUs leave it out, because nearly all of their time goes into kernels:
    /// NVRTC takes 2.0 s for one of each of 19 texts of the tests, and 7.5 s for all (2026-11-27). The emulator
    /// has it all the same: one compiled text of its own serves all ways to run a loop.
    LeftOut(String),
}

impl Source {
    /// The whole text, for the compiler of a GPU: values are written as numbers, and sizes are looked up in a table `op2_sizes` of the
    /// module.
    pub fn whole(&self) -> String {
        format!("{}{}", language(self.target).header, self.behind_header())
    }

    /// The same behind the header.
    pub(crate) fn behind_header(&self) -> String {
        let sizes = self.places_of_sizes();
        let table = match sizes.len() {
            0 => String::new(),
            n => format!("extern \"C\" {{ __constant__ unsigned long long {SIZES}[{n}]; }}\n"),
        };
        let text = self.written(|place, value| match sizes.iter().position(|size| *size == place) {
            Some(n) => format!("({SIZES}[{n}])"),
            None => format!("{value}ull"),
        });
        table + &self.without_left_out(text)
    }

    fn without_left_out(&self, mut text: String) -> String {
        for name in self.left_out() {
            text = text.replacen(&format!("{HEAD}{name}("), &format!("{HEAD_OF_LEFT_OUT}{name}("), 1);
        }
        text
    }

    fn left_out(&self) -> impl Iterator<Item = &String> {
        self.definitions.iter().filter_map(|definition| match definition {
            Definition::LeftOut(name) => Some(name),
            _ => None,
        })
    }

    /// The kernels that a GPU's module has.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    pub(crate) fn started(&self) -> impl Iterator<Item = &String> {
        self.kernels.iter().filter(|name| self.left_out().all(|left_out| left_out != *name))
    }

    /// The text behind the header; values and sizes are written as numbers.
    pub fn folded(&self) -> String {
        self.written(|_, value| format!("{value}ull"))
    }

    /// Writes the whole text to a file in `folder`. The file's name is the source's, with a hash that distinguishes
    /// texts of the same name.
    ///
    /// # Errors
    /// [`Error::Dump`] with the path and the system's reason.
    pub fn dump(&self, folder: &Path) -> Result<()> {
        let text = self.whole();
        let extension = language(self.target).extension;
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = folder.join(format!("{}-{:016x}.{extension}", self.name, hasher.finish()));
        let fault =
            |e: io::Error| Error::Dump { path: path.display().to_string(), reason: e.to_string(), variable: DUMP };
        fs::create_dir_all(folder).and_then(|()| replace(&path, &[text.as_bytes()])).map_err(fault)
    }

    /// The text for the emulator's compiler behind the header; values and sizes are looked up in a table `op2_values`.
    pub fn emulated(&self) -> String {
        self.written(|n, _| format!("(op2_values[{n}])"))
    }

    /// The index of this definition in [`Source::values`].
    pub fn place_of_value(&self, name: &str) -> Option<usize> {
        self.numbers().position(|(value, ..)| value == name)
    }

    /// The numbers that depend on the mesh, in order.
    pub fn values(&self) -> Vec<u64> {
        self.numbers().map(|(_, value, _)| value).collect()
    }

    /// The places of sizes among [`Source::values`].
    pub fn places_of_sizes(&self) -> Vec<usize> {
        self.numbers().enumerate().filter(|(_, (.., is_size))| *is_size).map(|(place, _)| place).collect()
    }

    /// Values and sizes in order: name and number of each, and whether it is a size.
    fn numbers(&self) -> impl Iterator<Item = (&str, u64, bool)> {
        self.definitions.iter().filter_map(|definition| match definition {
            Definition::Value(name, value) => Some((&**name, *value, false)),
            Definition::Size(name, value) => Some((&**name, *value, true)),
            Definition::Macro(..) | Definition::Constants(_) | Definition::LeftOut(_) => None,
        })
    }

    fn written(&self, value: impl Fn(usize, u64) -> String) -> String {
        let mut out = String::new();
        let mut values = 0;
        for definition in &self.definitions {
            let line = match definition {
                Definition::Macro(name, text) => format!("#define {name} {text}"),
                Definition::Value(name, number) | Definition::Size(name, number) => {
                    values += 1;
                    format!("#define {name} {}", value(values - 1, *number))
                }
                Definition::Constants(all) => (language(self.target).constants)(all),
                Definition::LeftOut(_) => continue,
            };
            writeln!(out, "{line}").expect("writing to a string");
        }
        out.push_str(&self.text);
        out
    }
}
