//! Programs that do not compile, and the messages for them: one folder per rule under `tests/ui`, each
//! case a program with the messages expected for it in a `.stderr` beside it. The programs in `tests/pass` come close and do
//! compile, for names and places that a macro could get wrong; cargo itself builds and runs them.
//!
//! After a change of messages, accept them by this command and read the difference:
//!
//! ```text
//! TRYBUILD=overwrite cargo test -p op2-test-ui --test ui
//! ```
//!
//! Messages contain words of the compiler, of the version that `rust-toolchain.toml` names. With another compiler, or
//! if the variable `OP2_UI_ANY_MESSAGE` is set, every case still has to fail, but messages are not compared.

use op2_test_support::skips::RUSTC;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Set where messages are not to be compared.
const ANY_MESSAGE: &str = "OP2_UI_ANY_MESSAGE";

/// Names the folder of the cases to the program that this one starts.
const FOLDER: &str = "OP2_UI_FOLDER";

/// The compiler's flags for a case and for all that it depends on. trybuild gives dependencies one flag less than cases, the
/// width, and cargo would check all of them a second time. Over these flags trybuild's own have no force.
const FLAGS: [&str; 6] = ["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"];

#[test]
fn ui() {
    if let Some(folder) = env::var_os(FOLDER) {
        return check(Path::new(&folder));
    }
    let (found, expected) = (compiler(), expected_compiler());
    if found.starts_with(&expected) && env::var_os(ANY_MESSAGE).is_none() {
        let status = checked(Path::new("tests/ui")).arg("--nocapture").status().expect("it starts");
        assert!(status.success(), "some messages differ");
        return;
    }
    op2_test_support::skips::skip(RUSTC, format!("messages are compared on {expected}*, found {found}"));
    let copies = copies();
    if let Err(said) = check_any_message(&copies) {
        panic!("{said}");
    }
}

/// Cargo runs only the programs that the manifest lists.
#[test]
fn every_program_that_compiles_is_a_test() {
    for program in rules(Path::new("tests/pass")) {
        let line = format!("path = \"{}\"", program.display());
        assert!(include_str!("../Cargo.toml").contains(&line), "`Cargo.toml` lacks a `[[test]]` with {line}");
    }
}

/// Of a program that should fail and compiles, we hear by any compiler.
#[test]
fn without_messages_it_still_matters_what_compiles() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiles");
    let folder = |name: &str, cases: &[(&str, &str)]| {
        for (case, text) in cases {
            let file = place.join(name).join(case);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        place.join(name)
    };
    remove(&place);
    let (right, wrong) = ("fn main() {}\n", "fn main() { 0 }\n");
    let said = "another compiler says it in other words\n";
    let fails = folder("fails", &[("rule/a.rs", wrong), ("rule/a.stderr", said), ("rule/b.rs", wrong)]);
    check_any_message(&fails).unwrap_or_else(|said| panic!("{said}"));
    let compiles = folder("compiles", &[("rule/a.rs", wrong), ("rule/b.rs", right), ("rule/b.stderr", said)]);
    let said = check_any_message(&compiles).expect_err("a case that should fail compiles");
    assert!(said.contains("Expected test case to fail to compile"), "{said}");
}

/// Runs the cases of a folder, which are compiled all at once.
fn check(folder: &Path) {
    let cases = trybuild::TestCases::new();
    rules(folder).iter().for_each(|rule| cases.compile_fail(rule.join("*.rs")));
}

/// The entries of a folder, in order.
fn rules(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut rules: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    rules.sort();
    rules
}

/// The command that runs the cases of a folder: this program again, because variables of the environment hold for a whole
/// program.
fn checked(folder: &Path) -> Command {
    let mut child = Command::new(env::current_exe().expect("a test is a program"));
    child.args(["ui", "--exact"]).args(env::args().filter(|arg| arg.starts_with("trybuild=")));
    child.env(FOLDER, folder).env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"));
    child
}

/// Runs the cases of a folder and takes every message for the right one. Expected messages in the folder are written anew.
fn check_any_message(folder: &Path) -> Result<(), String> {
    let output = checked(folder).env("TRYBUILD", "overwrite").output().expect("it starts");
    let said = [output.stdout, output.stderr].concat();
    output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&said).into_owned())
}

/// The cases without their messages, in a folder that may be written to.
fn copies() -> PathBuf {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    remove(&copies);
    for rule in rules(Path::new("tests/ui")) {
        let copy = copies.join(rule.file_name().expect("a name"));
        fs::create_dir_all(&copy).expect("a folder");
        for case in rules(&rule).iter().filter(|file| file.extension().is_some_and(|e| e == "rs")) {
            fs::copy(case, copy.join(case.file_name().expect("a name"))).expect("a copy");
        }
    }
    copies
}

/// Removes a folder of an earlier run.
fn remove(folder: &Path) {
    if folder.exists() {
        fs::remove_dir_all(folder).expect("what an earlier run has left can be removed");
    }
}

/// The name of this compiler.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("the compiler that built this");
    String::from_utf8_lossy(&version.stdout).trim().to_owned()
}

/// The name of the messages' compiler: releases that differ in the last number say the same.
fn expected_compiler() -> String {
    let channel =
        include_str!("../../../rust-toolchain.toml").lines().find_map(|line| line.strip_prefix("channel = \""));
    let (release, _) = channel.and_then(|channel| channel.rsplit_once('.')).expect("a release with three numbers");
    format!("rustc {release}.")
}
