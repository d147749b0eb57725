//! What does not compile, and what the compiler says then: one folder per rule under `tests/ui`, each
//! case a program with the messages expected for it in a `.stderr` beside it. `tests/ui/pass` holds
//! programs that do compile, for names and places that a macro could get wrong.
//!
//! After a change of messages, read the difference that this makes:
//!
//! ```text
//! TRYBUILD=overwrite cargo test --test ui
//! ```

/// The compiler whose own words the expected messages hold; others say the same in other words.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn ui() {
    let found = compiler();
    if !found.starts_with(COMPILER) && std::env::var_os("CI").is_none() {
        println!("skipped: messages are compared on {COMPILER}*, found {found}");
        return;
    }
    let cases = trybuild::TestCases::new();
    for entry in std::fs::read_dir("tests/ui").expect("tests run in the root of the package") {
        let folder = entry.expect("a readable folder").path();
        let programs = folder.join("*.rs");
        match folder.ends_with("pass") {
            true => cases.pass(programs),
            false => cases.compile_fail(programs),
        }
    }
}

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("the compiler that built this");
    String::from_utf8_lossy(&version.stdout).trim().to_owned()
}
