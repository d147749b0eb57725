//! Builds cases as one crate, by cargo: the package `op2-fuzz-batch`, which includes them. So the libraries are those of the workspace, and the
//! crate of the cases is compiled for every batch.

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

/// The package that includes cases.
const PACKAGE: &str = "op2-fuzz-batch";
/// The profile of this program.
const PROFILE: &str = if cfg!(debug_assertions) { "dev" } else { "release" };

/// A folder in which batches are built.
#[derive(Debug)]
pub struct Workshop {
    root: PathBuf,
    folder: PathBuf,
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
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("harness.rs"), HARNESS)?;
        Ok(Workshop { root: root.to_owned(), folder })
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
        fs::write(self.folder.join("main.rs"), "mod harness;\nfn main() {}\n")?;
        self.cargo(1).map(drop)
    }

    /// Compiles cases. Leaves out those with errors until the rest compiles.
    ///
    /// # Errors
    /// If cargo cannot be run, or fails without an error in a case.
    pub fn build(&self, cases: &[&Case], level: usize) -> io::Result<Built> {
        for (n, case) in cases.iter().enumerate() {
            fs::write(self.folder.join(format!("c{n}.rs")), print::module(case))?;
        }
        let mut refused = BTreeMap::new();
        loop {
            let kept: Vec<usize> = (0..cases.len()).filter(|n| !refused.contains_key(n)).collect();
            if kept.is_empty() {
                return Ok(Built { program: None, refused });
            }
            let modules: String = kept.iter().map(|n| format!("mod c{n};\n")).collect();
            let list: String = kept.iter().map(|n| format!("(\"c{n}\", &c{n}::CASE), ")).collect();
            let main = format!("mod harness;\n{modules}fn main() {{ harness::main(&[{list}]); }}\n");
            fs::write(self.folder.join("main.rs"), main)?;
            let found = self.cargo(level)?;
            if found.is_empty() {
                return Ok(Built { program: Some(std::env::current_exe()?.with_file_name(PACKAGE)), refused });
            }
            refused.extend(found);
        }
    }

    /// Runs cargo, and returns the cases with errors. What they compute is compared with loops of their own, so they go without the language's
    /// checks.
    fn cargo(&self, level: usize) -> io::Result<BTreeMap<usize, Refused>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(&self.root).env("OP2_FUZZ_BATCH", &self.folder);
        // All members have a say in the features of libraries, so that what other commands on all of them have built serves here.
        command.args(["build", "--workspace", "--bin", PACKAGE, "--features", "op2-fuzz-batch/batch"]);
        command.args(["--profile", PROFILE, "--offline", "--message-format", "json"]);
        for setting in [
            format!("opt-level={level}"),
            "codegen-units=4".into(),
            "debug-assertions=false".into(),
            "overflow-checks=false".into(),
        ] {
            command.arg("--config").arg(format!("profile.{PROFILE}.package.{PACKAGE}.{setting}"));
        }
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
        let file = Path::new(span["file_name"].as_str().unwrap_or_default());
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_prefix('c').and_then(|name| name.strip_suffix(".rs"));
        found.extend(number.and_then(|number| number.parse::<usize>().ok()));
        if !span["expansion"].is_null() {
            spans.push(&span["expansion"]["span"]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_belong_to_the_cases_of_their_files() {
        let at = |file: &str| serde_json::json!({ "file_name": file, "expansion": null });
        let through =
            serde_json::json!({ "file_name": "src/lib.rs", "expansion": { "span": at("target/fuzz/batch/c3.rs") } });
        let message = serde_json::json!({ "spans": [at("/op2/target/fuzz/batch/c12.rs"), through, at("harness.rs")] });
        let mut found = files(&message);
        found.sort_unstable();
        assert_eq!(found, [3, 12]);
    }
}
