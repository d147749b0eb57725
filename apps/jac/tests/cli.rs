//! The program as a user meets it: exit status and messages.

use clap::CommandFactory as _;
use jac::cli::Cli;
use op2_test_support::outputs::Program;
use std::process::{Command, Output};

fn program() -> Program {
    Program {
        path: env!("CARGO_BIN_EXE_jac"),
        command: Cli::command(),
        inputs: &[],
        short: &["--backend", "seq", "--size", "5"],
    }
}

fn jac(args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jac")).args(args.split_whitespace()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn files_are_written_whole_or_the_reason_is_told() {
    program().check_files();
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_printed_arrives_or_the_program_fails() {
    program().check_that_one_failure_leaves_the_others();
    program().check_streams();
}

#[test]
fn the_help_names_every_option() {
    program().check_help();
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    program().check_numbers();
}

#[test]
fn wrong_command_lines_end_with_status_2_and_a_reason() {
    for (args, said) in [
        ("--backend seq --threads 2", "`--backend seq` runs on 1 thread, found `--threads 2`"),
        ("--backend cuda-emu --threads 2", "`--backend cuda-emu` runs on 1 thread, found `--threads 2`"),
        ("--threads 65535", "65535 is not in 1..=1024"),
        ("--size 20001", "20001 is not in 1..=20000"),
        ("--steps 0", "0 is not in 1..="),
        ("--precision f16", "invalid value 'f16'"),
    ] {
        let output = jac(args);
        let message = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{args}: {message}");
        assert!(
            message.starts_with("error: ") && message.contains(said),
            "{args}: expected `{said}`, found: {message}"
        );
    }
}

#[test]
fn the_log_is_on_standard_error_and_its_level_is_checked() {
    program().check_log(&["--size", "5"]);
}

#[test]
fn a_result_that_is_right_passes_and_another_fails() {
    let right = jac("--size 9 --threads 2");
    assert_eq!((right.status.code(), text(&right.stderr).as_str()), (Some(0), ""));
    assert!(text(&right.stdout).contains("\npassed: node "), "{}", text(&right.stdout));
    let wrong = jac("--size 9 --steps 3");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stdout).contains("3 steps, ") && text(&wrong.stdout).contains("\nfailed: node "));
    assert!(text(&wrong.stderr).starts_with("error: the result is wrong: take more `--steps`"));
}
