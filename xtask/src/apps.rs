//! The CUDA code of the apps: each one runs a few steps in the emulator, which writes down what it compiles.

use crate::{Error, Result, file_error};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A text and where it is from.
pub(crate) struct Text {
    /// The app and its options, or the golden.
    pub from: String,
    pub text: String,
}

/// An app and the command lines that reach all of its loops in all of their forms.
struct App {
    name: &'static str,
    size: &'static [&'static str],
    /// Each element names one choice of options.
    forms: &'static [&'static [&'static str]],
}

/// A new app is one more line here.
const APPS: [App; 3] = [
    App {
        name: "airfoil",
        size: &["--size", "4", "6", "--iters", "1", "--unchecked"],
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
        forms: &[&["--layout", "aos"], &["--layout", "soa"]],
    },
    App {
        name: "jac",
        size: &["--size", "4", "--steps", "1"],
        forms: &[&["--precision", "f64"], &["--precision", "f32"]],
    },
];

/// The texts of all apps.
pub(crate) fn texts() -> Result<Vec<Text>> {
    let mut all = Vec::new();
    for app in &APPS {
        for form in app.forms {
            all.extend(app.texts(form)?);
        }
    }
    Ok(all)
}

impl App {
    fn texts(&self, form: &[&str]) -> Result<Vec<Text>> {
        let folder = tempfile::tempdir().map_err(file_error(&std::env::temp_dir()))?;
        let args = [&["run", "-q", "-p", self.name, "--", "--backend", "cuda-emu"], self.size, form].concat();
        let command = format!("cargo {}", args.join(" "));
        // Whether the results are right is not asked here: a step or two do not converge.
        let output = Command::new(env!("CARGO"))
            .args(&args)
            .env("OP2_CUDA_DUMP", folder.path())
            .output()
            .map_err(file_error(Path::new(env!("CARGO"))))?;
        let mut texts = Vec::new();
        for path in sorted_files(folder.path())? {
            let text = fs::read_to_string(&path).map_err(file_error(&path))?;
            texts.push(Text { from: format!("{} {}", self.name, form_name(form)), text });
        }
        let output = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        match texts.is_empty() {
            true if output.contains("error") => Err(Error::App { command, output }),
            true => Err(Error::NoText { command }),
            false => Ok(texts),
        }
    }
}

/// The values of the options.
fn form_name(form: &[&str]) -> String {
    form.iter().skip(1).step_by(2).copied().collect::<Vec<_>>().join(" ")
}

/// The files of a folder by name.
pub(crate) fn sorted_files(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(file_error(folder))? {
        paths.push(entry.map_err(file_error(folder))?.path());
    }
    paths.sort();
    Ok(paths)
}
