//! The CUDA code of the apps. Each app runs a few steps in the emulator, which dumps the texts that it compiles.

use crate::{Error, Result, file_error};
use op2_device::Work;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A text and its origin.
pub(crate) struct Text {
    /// The app and its options, the golden, or where else it is launched.
    pub from: String,
    pub text: String,
}

/// A loop with all its forms, as the run time dumped it.
#[derive(Deserialize)]
pub(crate) struct LoopDump {
    pub kernel: String,
    pub elements: usize,
    /// The function whose registers are reported.
    pub function: String,
    /// Whether blocks stage data.
    pub staged: bool,
    /// Elements of a block, for the unsplit loop, which stays unless another form is clearly better.
    pub usual: usize,
    pub no_more_forms: String,
    pub forms: Vec<FormDump>,
}

/// One form of a loop.
#[derive(Deserialize)]
pub(crate) struct FormDump {
    /// Contribution stages; 0 for the unsplit loop.
    pub stages: usize,
    pub bytes_per_element: u64,
    pub kept_bytes: usize,
    pub flops: u32,
    /// Sizes of blocks in elements, with the bytes of shared memory of each.
    pub shared: Vec<(usize, u64)>,
    /// Sizes of blocks in elements, with the work of the loop in such blocks.
    pub work: Vec<(usize, Work)>,
    /// The text for blocks of the first size in `work`.
    pub text: String,
}

/// An app, with command lines that reach all of its loops in all of their forms.
struct App {
    name: &'static str,
    size: &'static [&'static str],
    /// Options for a mesh so large that blocks of 512 elements share as much as on larger meshes. Empty if no loop has forms.
    large: &'static [&'static str],
    /// Each item is one choice of options.
    choices: &'static [&'static [&'static str]],
}

/// A new app adds an item here.
const APPS: [App; 5] = [
    App {
        name: "airfoil",
        size: &["--size", "4", "6", "--iters", "1", "--unchecked"],
        large: &["--size", "60", "90", "--iters", "1", "--unchecked"],
        choices: &[
            &["--precision", "f64", "--layout", "aos"],
            &["--precision", "f64", "--layout", "soa"],
            &["--precision", "f32", "--layout", "aos"],
            &["--precision", "f32", "--layout", "soa"],
        ],
    },
    App {
        name: "hydra",
        size: &["--size", "3", "2", "2", "--iters", "1", "--unchecked"],
        large: &["--size", "24", "12", "12", "--iters", "1", "--unchecked"],
        choices: &[
            &["--precision", "f64", "--layout", "aos"],
            &["--precision", "f64", "--layout", "soa"],
            &["--precision", "f32", "--layout", "aos"],
            &["--precision", "f32", "--layout", "soa"],
        ],
    },
    App {
        name: "jac",
        size: &["--size", "4", "--steps", "1"],
        large: &["--size", "60", "--steps", "1"],
        choices: &[&["--precision", "f64"], &["--precision", "f32"]],
    },
    App {
        name: "siac",
        size: &["--generate", "low", "200"],
        large: &[],
        choices: &[
            &["--method", "per-point", "--boundary", "periodic"],
            &["--method", "per-element", "--boundary", "periodic"],
            &["--method", "per-point", "--boundary", "one-sided"],
            &["--method", "per-element", "--boundary", "one-sided"],
        ],
    },
    App {
        name: "adapt",
        size: &["--generate", "jittered", "200", "--max-rounds", "3", "--unchecked"],
        large: &[],
        choices: &[&["--layout", "aos"], &["--layout", "soa"]],
    },
];

/// Builds apps next to this program, with one call of cargo, so that common dependencies are built once.
fn build<'a>(apps: impl IntoIterator<Item = &'a App>) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "-q", "--profile", if cfg!(debug_assertions) { "dev" } else { "release" }]);
    // All members have a say in the features of libraries, so that what another command on all of them has built serves here.
    cargo.arg("--workspace").args(apps.into_iter().flat_map(|app| ["--bin", app.name]));
    let output = cargo.output().map_err(file_error(Path::new(env!("CARGO"))))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::App { command: "cargo build".into(), output: lossy(&output) }),
    }
}

/// The output of a program.
fn lossy(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// The texts of all apps.
pub(crate) fn texts() -> Result<Vec<Text>> {
    build(&APPS)?;
    let mut all = Vec::new();
    for app in &APPS {
        for choice in app.choices {
            all.extend(app.texts(choice)?);
        }
    }
    Ok(all)
}

/// The loops of all apps, or of one, in all their forms, each with the app and its options.
pub(crate) fn dumps(only: Option<&str>) -> Result<Vec<(String, LoopDump)>> {
    let with_forms = || APPS.iter().filter(|app| !app.large.is_empty());
    let chosen: Vec<&App> = with_forms().filter(|app| only.is_none_or(|name| app.name == name)).collect();
    if let Some(name) = only.filter(|_| chosen.is_empty()) {
        return Err(Error::NoApp { name: name.to_owned(), known: with_forms().map(|app| app.name).collect() });
    }
    build(chosen.iter().copied())?;
    let mut all = Vec::new();
    for app in chosen {
        // Forms do not depend on the layout, so the first choice of options suffices.
        let choice = app.choices[0];
        for (path, text) in app.dumped("OP2_FORMS_DUMP", app.large, choice)? {
            let refused = |cause| Error::Json { path: path.display().to_string(), cause };
            all.push((app.from(choice), serde_json::from_str(&text).map_err(refused)?));
        }
    }
    Ok(all)
}

impl App {
    fn texts(&self, choice: &[&str]) -> Result<Vec<Text>> {
        let files = self.dumped(op2_device::DUMP, self.size, choice)?;
        Ok(files.into_iter().map(|(_, text)| Text { from: self.from(choice), text }).collect())
    }

    fn from(&self, choice: &[&str]) -> String {
        format!("{} {}", self.name, choice_name(choice))
    }

    /// The files that the app dumps into the folder in the environment variable `variable`, sorted by name.
    fn dumped(&self, variable: &str, size: &[&str], choice: &[&str]) -> Result<Vec<(PathBuf, String)>> {
        let folder = tempfile::tempdir().map_err(file_error(&std::env::temp_dir()))?;
        let args = [&["--backend", "cuda-emu"], size, choice].concat();
        let command = format!("{} {}", self.name, args.join(" "));
        let program = std::env::current_exe().map_err(file_error(Path::new("xtask")))?.with_file_name(self.name);
        // The exit status is ignored: after a step or two results have not converged.
        let output = Command::new(&program).args(&args).env(variable, folder.path()).output();
        let output = lossy(&output.map_err(file_error(&program))?);
        let mut files = Vec::new();
        for path in sorted_files(folder.path())? {
            let text = fs::read_to_string(&path).map_err(file_error(&path))?;
            files.push((path, text));
        }
        match files.is_empty() {
            true if output.contains("error") => Err(Error::App { command, output }),
            true => Err(Error::NoText { command }),
            false => Ok(files),
        }
    }
}

/// The values of the options.
fn choice_name(choice: &[&str]) -> String {
    choice.iter().skip(1).step_by(2).copied().collect::<Vec<_>>().join(" ")
}

/// The files in a folder, sorted by name.
pub(crate) fn sorted_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(file_error(folder))? {
        paths.push(entry.map_err(file_error(folder))?.path());
    }
    paths.sort();
    Ok(paths)
}
