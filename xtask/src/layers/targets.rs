//! The crates of the workspace, from `cargo metadata`.

use crate::{Error, Result};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::Command;

/// One crate: a library, a program or a bench.
#[derive(Debug)]
pub(super) struct Target {
    /// A title such as `airfoil`, `airfoil (bin)`, `airfoil (bench cpu)`.
    pub title: String,
    pub bench: bool,
    pub root: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    targets: Vec<CargoTarget>,
}

#[derive(Deserialize)]
struct CargoTarget {
    kind: Vec<String>,
    name: String,
    src_path: PathBuf,
}

/// The folder of the workspace, and all its crates except tests.
pub(super) fn all() -> Result<(PathBuf, Vec<Target>)> {
    let args = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let command = format!("cargo {}", args.join(" "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let failed = |output: String| Error::App { command: command.clone(), output };
    let done = Command::new(cargo).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let done = done.map_err(|error| failed(error.to_string()))?;
    if !done.status.success() {
        return Err(failed(String::from_utf8_lossy(&done.stderr).into_owned()));
    }
    let metadata: Metadata = serde_json::from_slice(&done.stdout).map_err(|error| failed(error.to_string()))?;
    let targets = metadata.packages.into_iter().flat_map(|package| {
        let name = package.name;
        package.targets.into_iter().filter_map(move |target| crate_of(&name, target))
    });
    Ok((metadata.workspace_root, targets.collect()))
}

fn crate_of(package: &str, target: CargoTarget) -> Option<Target> {
    let kind = target.kind.first()?;
    let title = match &**kind {
        "lib" | "cdylib" | "proc-macro" => package.to_owned(),
        "bin" if target.name == package => format!("{package} (bin)"),
        "bin" | "bench" => format!("{package} ({kind} {})", target.name),
        "custom-build" => format!("{package} (build script)"),
        _ => return None,
    };
    Some(Target { title, bench: kind == "bench", root: target.src_path })
}
