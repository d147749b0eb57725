//! The output of a skip, seen from outside: this program starts itself, with tests that are ignored otherwise.

use op2_test_support::skips::{CXX, GPU, found, has_cxx, skip};
use std::process::{Command, Output};

#[test]
#[ignore = "started by the other tests"]
fn lacks_a_compiler() {
    if !is_started_by_another() {
        return;
    }
    for _ in 0..3 {
        assert!(!has_cxx());
    }
}

#[test]
#[ignore = "started by the other tests"]
fn lacks_it_too() {
    if !is_started_by_another() {
        return;
    }
    assert_eq!(found(CXX, Err::<(), _>("none here")), None);
    assert_eq!(found(CXX, Ok::<_, &str>(3)), Some(3));
}

#[test]
#[ignore = "started by the other tests"]
fn lacks_a_gpu() {
    if !is_started_by_another() {
        return;
    }
    skip(GPU, "none here");
}

#[test]
#[ignore = "started by the other tests"]
fn fails() {
    if !is_started_by_another() {
        return;
    }
    panic!("on purpose");
}

/// Not so where somebody runs all tests that are ignored.
fn is_started_by_another() -> bool {
    std::env::var_os(STARTED).is_some()
}

const STARTED: &str = "OP2_TEST_SKIPS";

/// Runs tests of this file as `cargo test` does: in a program that keeps to itself what they print.
fn run(tests: &[&str], ci: bool) -> Output {
    let mut child = Command::new(std::env::current_exe().expect("a test is a program"));
    child
        .args(tests)
        .args(["--ignored", "--exact", "--test-threads=2"])
        .env("CXX", "no-such-compiler")
        .env(STARTED, "");
    match ci {
        true => child.env("CI", "true"),
        false => child.env_remove("CI"),
    };
    child.output().expect("it starts")
}

fn errors(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect()
}

#[test]
fn a_skip_is_told_at_once_and_at_the_end() {
    let output = run(&["lacks_a_compiler", "lacks_it_too", "lacks_a_gpu"], false);
    assert!(output.status.success(), "{output:?}");
    let lines = errors(&output);
    let starts = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(starts("skipped: lacks_a_compiler, for want of a C++ compiler"), 1);
    assert_eq!(starts("skipped: lacks_it_too, for want of a C++ compiler"), 1);
    assert_eq!(starts("skipped: lacks_a_gpu, for want of a GPU: none here"), 1);
    let reasons = [": `no-such-compiler --version` does not start (", ": none here"];
    let reasoned = |line: &&String| reasons.iter().any(|reason| line.contains("C++ compiler") && line.contains(reason));
    assert_eq!(lines.iter().filter(reasoned).count(), 1, "{lines:?}");
    let [.., compiler, gpu] = &lines[..] else { panic!("{lines:?}") };
    assert!(compiler.starts_with("skipped: 2 tests, in whole or in part, for want of a C++ compiler; install"));
    assert!(gpu.starts_with("skipped: 1 test, in whole or in part, for want of a GPU; set"), "{gpu}");
}

/// Another test that fails is not hidden, and does not hide the skips.
#[test]
fn a_failure_stays_a_failure() {
    let output = run(&["lacks_it_too", "fails"], false);
    assert_eq!(output.status.code(), Some(101), "{output:?}");
    assert!(errors(&output).last().is_some_and(|line| line.starts_with("skipped: 1 test,")), "{output:?}");
}

#[test]
fn ci_skips_nothing() {
    let output = run(&["lacks_a_compiler", "lacks_it_too"], true);
    assert_eq!(output.status.code(), Some(101), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("0 passed; 2 failed"), "{said}");
    assert!(
        said.contains("with `CI` set nothing is left out, and a C++ compiler is missing: none here; install"),
        "{said}"
    );
    assert!(!errors(&output).iter().any(|line| line.starts_with("skipped")), "{output:?}");
}

#[test]
fn nothing_skipped_says_nothing() {
    let output = run(&["fails"], true);
    assert!(!errors(&output).iter().any(|line| line.contains("skipped")), "{output:?}");
}
