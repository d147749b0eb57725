//! Tasks refuse a table that they cannot write before they begin to work.

use std::process::{Command, Output};

/// `cargo xtask` without NVIDIA's compiler, so that a task that begins its work has nothing to do.
fn xtask(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(args).env("OP2_NVRTC", "/nowhere").env_remove("CI");
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_table_that_cannot_be_written_is_told_first() {
    let folder = tempfile::tempdir().unwrap();
    for task in ["cuda-check", "splits"] {
        for (file, reason) in [("none/t.json", "folder `none`: No such file"), (".", "it is a folder, expected a file")]
        {
            let output = xtask(&[task, "--json", file]).current_dir(folder.path()).output().unwrap();
            let said = said(&output);
            assert_eq!(output.status.code(), Some(2), "{task}: {said}");
            assert!(said.starts_with(&format!("error: cannot write `{file}`: {reason}")), "{task}: {said}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_printed_arrives_or_the_task_fails() {
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for args in [&["--help"][..], &["cuda-check"]] {
        let output = xtask(args).stdout(full()).output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("error: cannot write standard output: No space left on device"), "{args:?}: {said}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(xtask(args).stdout(writer).output().unwrap().status.code(), Some(141), "{args:?}");
    }
}
