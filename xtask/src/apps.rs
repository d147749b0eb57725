//! The CUDA code of the apps: each one runs a few steps in the emulator, which writes down what it compiles.

use crate::{Error, Result, file_error};
use op2_cuda::Work;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A text and where it is from.
pub(crate) struct Text {
    /// The app and its options, or the golden.
    pub from: String,
    pub text: String,
}

/// A loop with all its forms, as the run time wrote it down.
#[derive(Deserialize)]
pub(crate) struct Account {
    pub kernel: String,
    pub elements: usize,
    /// The function whose registers count.
    pub function: String,
    /// Whether blocks stage data at all.
    pub staged: bool,
    /// Elements of a block where nothing else is clearly better than the loop all at once.
    pub usual: usize,
    pub no_more_forms: String,
    pub forms: Vec<Form>,
}

/// One form of a loop.
#[derive(Deserialize)]
pub(crate) struct Form {
    /// Contribution stages; 0 stands for the loop all at once.
    pub stages: usize,
    pub bytes_per_element: u64,
    pub kept_bytes: usize,
    pub flops: u32,
    /// Elements of a block, and the bytes of shared memory that it takes.
    pub shared: Vec<(usize, u64)>,
    /// Elements of a block, and what the loop does in such blocks.
    pub work: Vec<(usize, Work)>,
    /// The text for blocks of the first of these sizes.
    pub text: String,
}

/// An app and the command lines that reach all of its loops in all of their forms.
struct App {
    name: &'static str,
    size: &'static [&'static str],
    /// A mesh that is large enough for blocks of 512 elements to share what they share on larger ones.
    large: &'static [&'static str],
    /// Each element names one choice of options.
    forms: &'static [&'static [&'static str]],
}

/// A new app is one more line here.
const APPS: [App; 3] = [
    App {
        name: "airfoil",
        size: &["--size", "4", "6", "--iters", "1", "--unchecked"],
        large: &["--size", "60", "90", "--iters", "1", "--unchecked"],
        forms: &[
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
        forms: &[
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
        forms: &[&["--precision", "f64"], &["--precision", "f32"]],
    },
];

/// Builds apps, which then stand beside this program; all in one, because what they are made of is then built once.
fn build<'a>(apps: impl IntoIterator<Item = &'a App>) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "-q", "--profile", if cfg!(debug_assertions) { "dev" } else { "release" }]);
    cargo.args(apps.into_iter().flat_map(|app| ["-p", app.name]));
    let output = cargo.output().map_err(file_error(Path::new(env!("CARGO"))))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::App { command: "cargo build".into(), output: lossy(&output) }),
    }
}

/// All that a program said.
fn lossy(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// The texts of all apps.
pub(crate) fn texts() -> Result<Vec<Text>> {
    build(&APPS)?;
    let mut all = Vec::new();
    for app in &APPS {
        for form in app.forms {
            all.extend(app.texts(form)?);
        }
    }
    Ok(all)
}

/// The loops of all apps, or of one, in all their forms, each behind the app and its options.
pub(crate) fn accounts(only: Option<&str>) -> Result<Vec<(String, Account)>> {
    let chosen: Vec<&App> = APPS.iter().filter(|app| only.is_none_or(|name| app.name == name)).collect();
    if let Some(name) = only.filter(|_| chosen.is_empty()) {
        return Err(Error::NoApp { name: name.to_owned(), known: APPS.iter().map(|app| app.name).collect() });
    }
    build(chosen.iter().copied())?;
    let mut all = Vec::new();
    for app in chosen {
        // Forms differ by what is computed and kept, not by the layout; the first choice of options is the usual one.
        let form = app.forms[0];
        for (path, text) in app.dumped("OP2_FORMS_DUMP", app.large, form)? {
            let refused = |cause| Error::Account { path: path.display().to_string(), cause };
            all.push((app.from(form), serde_json::from_str(&text).map_err(refused)?));
        }
    }
    Ok(all)
}

impl App {
    fn texts(&self, form: &[&str]) -> Result<Vec<Text>> {
        let files = self.dumped(op2_cuda::DUMP, self.size, form)?;
        Ok(files.into_iter().map(|(_, text)| Text { from: self.from(form), text }).collect())
    }

    fn from(&self, form: &[&str]) -> String {
        format!("{} {}", self.name, form_name(form))
    }

    /// The files that the app leaves in the folder that `variable` names, by name.
    fn dumped(&self, variable: &str, size: &[&str], form: &[&str]) -> Result<Vec<(PathBuf, String)>> {
        let folder = tempfile::tempdir().map_err(file_error(&std::env::temp_dir()))?;
        let args = [&["--backend", "cuda-emu"], size, form].concat();
        let command = format!("{} {}", self.name, args.join(" "));
        let program = std::env::current_exe().map_err(file_error(Path::new("xtask")))?.with_file_name(self.name);
        // Whether the results are right is not asked here: a step or two do not converge.
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
fn form_name(form: &[&str]) -> String {
    form.iter().skip(1).step_by(2).copied().collect::<Vec<_>>().join(" ")
}

/// The files of a folder by name.
pub(crate) fn sorted_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(file_error(folder))? {
        paths.push(entry.map_err(file_error(folder))?.path());
    }
    paths.sort();
    Ok(paths)
}
