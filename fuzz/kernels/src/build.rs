//! Builds cases as one crate, by cargo. The crates of op2 are compiled once, the crate of the cases for every batch.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::case::Case;
use crate::harness::HARNESS;
use crate::print;

/// A case that does not compile.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The code of the first error; empty if it has none.
    pub code: String,
    /// The first error as the compiler prints it.
    pub text: String,
}

/// A folder in which batches are built.
#[derive(Debug)]
pub struct Workshop {
    folder: PathBuf,
    target: PathBuf,
}

/// A batch after the build: a program with the cases that compile, and the errors of the others.
#[derive(Debug)]
pub struct Built {
    /// The program, unless nothing compiled.
    pub program: Option<PathBuf>,
    /// The errors, by the index of the case.
    pub refused: BTreeMap<usize, Refused>,
}

impl Workshop {
    /// Batches under `target/fuzz` of the workspace at `root`.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn new(root: &Path) -> io::Result<Self> {
        let folder = root.join("target/fuzz/batch");
        fs::create_dir_all(folder.join("src"))?;
        // The versions of the workspace, so that nothing has to be downloaded.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        fs::write(folder.join("src/harness.rs"), HARNESS)?;
        Ok(Workshop { folder, target: root.join("target/fuzz-build") })
    }

    /// The folder for failures that were found.
    pub fn findings(&self) -> PathBuf {
        self.folder.with_file_name("found")
    }

    /// The folder for code that op2 compiles for devices.
    pub fn cache(&self) -> PathBuf {
        self.folder.with_file_name("cache")
    }

    /// Compiles op2 and the harness, so that the first batch takes no longer than others.
    ///
    /// # Errors
    /// If cargo cannot be run, or op2 does not compile.
    pub fn prepare(&self) -> io::Result<()> {
        self.manifest(1)?;
        fs::write(self.folder.join("src/main.rs"), "#![allow(warnings)]\nmod harness;\nfn main() {}\n")?;
        self.cargo().map(drop)
    }

    /// Compiles cases. Leaves out those with errors until the rest compiles.
    ///
    /// # Errors
    /// If cargo cannot be run, or fails without an error in a case.
    pub fn build(&self, cases: &[&Case], level: usize) -> io::Result<Built> {
        self.manifest(level)?;
        for (n, case) in cases.iter().enumerate() {
            fs::write(self.folder.join(format!("src/c{n}.rs")), print::module(case))?;
        }
        let mut refused = BTreeMap::new();
        loop {
            let kept: Vec<usize> = (0..cases.len()).filter(|n| !refused.contains_key(n)).collect();
            if kept.is_empty() {
                return Ok(Built { program: None, refused });
            }
            let modules: String = kept.iter().map(|n| format!("mod c{n};\n")).collect();
            let list: String = kept.iter().map(|n| format!("(\"c{n}\", &c{n}::CASE), ")).collect();
            let main = format!(
                "#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]\nmod harness;\n{modules}fn main() {{ harness::main(&[{list}]); }}\n"
            );
            fs::write(self.folder.join("src/main.rs"), main)?;
            let found = self.cargo()?;
            if found.is_empty() {
                return Ok(Built { program: Some(self.target.join("release/fuzz-batch")), refused });
            }
            refused.extend(found);
        }
    }

    fn manifest(&self, level: usize) -> io::Result<()> {
        let text = format!(
            r#"[package]
name = "fuzz-batch"
version = "0.0.0"
edition = "2024"

[dependencies]
op2 = {{ path = "../../..", default-features = false, features = ["emulator"] }}

[workspace]

[profile.release]
opt-level = {level}
debug = false
codegen-units = 4

[profile.release.package."*"]
opt-level = 2
"#
        );
        fs::write(self.folder.join("Cargo.toml"), text)
    }

    /// Runs cargo, and returns the cases with errors.
    fn cargo(&self) -> io::Result<BTreeMap<usize, Refused>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--release", "--offline", "--message-format", "json", "--manifest-path"]);
        command.arg(self.folder.join("Cargo.toml")).arg("--target-dir").arg(&self.target);
        let output = command.output()?;
        if output.status.success() {
            return Ok(BTreeMap::new());
        }
        let mut found = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            let message = &message["message"];
            let text = message["rendered"].as_str().unwrap_or_default();
            let serious =
                message["level"] == "error" || message["level"].as_str().is_some_and(|l| l.contains("internal"));
            if !serious {
                continue;
            }
            let code = message["code"]["code"].as_str().unwrap_or_default().to_owned();
            for n in files(message) {
                found.entry(n).or_insert_with(|| Refused { code: code.clone(), text: text.to_owned() });
            }
        }
        if found.is_empty() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        Ok(found)
    }
}

/// The cases whose files a message points to, also through macros.
fn files(message: &Value) -> Vec<usize> {
    let mut found = Vec::new();
    let mut spans: Vec<&Value> = message["spans"].as_array().map(|s| s.iter().collect()).unwrap_or_default();
    while let Some(span) = spans.pop() {
        let file = span["file_name"].as_str().unwrap_or_default();
        let number =
            file.strip_prefix("src/c").and_then(|f| f.strip_suffix(".rs")).and_then(|n| n.parse::<usize>().ok());
        found.extend(number);
        if !span["expansion"].is_null() {
            spans.push(&span["expansion"]["span"]);
        }
    }
    found
}
