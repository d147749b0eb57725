//! What does not compile, and what the compiler says then: one folder per rule under `tests/ui`, each
//! case a program with the messages expected for it in a `.stderr` beside it. `tests/ui/pass` holds
//! programs that do compile, for names and places that a macro could get wrong.
//!
//! After a change of messages, read the difference that this makes:
//!
//! ```text
//! TRYBUILD=overwrite cargo test --test ui
//! ```

#[test]
fn ui() {
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
