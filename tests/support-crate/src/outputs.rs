//! Checks of a program's options, messages and output files. They cover all options of the command line, also those
//! added later.

use std::any::TypeId;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A program and how to run it shortly.
pub struct Program {
    /// The file.
    pub path: &'static str,
    /// Its command line, or that of its subcommand.
    pub command: clap::Command,
    /// Options that name files to be read.
    pub inputs: &'static [&'static str],
    /// Arguments of a short run that prints more than one line.
    pub short: &'static [&'static str],
}

/// An obstacle to an output: the file that is asked for, and what is said.
const NOWHERE: [[&str; 2]; 4] = [
    ["sub", "cannot write `sub`: it is a folder, expected a file"],
    ["none/out", "cannot write `none/out`: folder `none`: No such file or directory"],
    ["precious/out", "cannot write `precious/out`: Not a directory"],
    // Nobody may put files there, not even root.
    ["/proc/op2-out", "cannot write `/proc/op2-out`: "],
];

impl Program {
    fn in_folder(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(self.path);
        command.current_dir(folder).args(self.short).args(args);
        command
    }

    fn options(&self, of: impl Fn(TypeId) -> bool) -> impl Iterator<Item = (String, usize)> {
        let options = self.command.get_arguments().filter(move |arg| {
            let kind = arg.get_value_parser().type_id();
            arg.get_long().is_some()
                && [TypeId::of::<PathBuf>(), TypeId::of::<u16>(), TypeId::of::<u32>()]
                    .into_iter()
                    .chain([TypeId::of::<u64>(), TypeId::of::<usize>(), TypeId::of::<f32>(), TypeId::of::<f64>()])
                    .any(|known| kind == known && of(known))
        });
        let named = |arg: &clap::Arg| {
            let values = arg.get_num_args().map_or(1, |range| range.max_values());
            (format!("--{}", arg.get_long().unwrap_or_default()), values)
        };
        options.map(named).collect::<Vec<_>>().into_iter()
    }

    /// The options that name files to be written.
    pub fn writing(&self) -> Vec<String> {
        let files = self.options(|kind| kind == TypeId::of::<PathBuf>()).map(|(option, _)| option);
        files.filter(|option| !self.inputs.contains(&option.as_str())).collect()
    }

    /// Every option that writes leaves a whole file, or says why it cannot and leaves all as it was.
    pub fn check_files(&self) {
        for option in self.writing() {
            let folder = folder();
            let run = |file: &str| self.in_folder(folder.path(), &[&option, file]).output().unwrap();
            for [file, said] in NOWHERE {
                let output = run(file);
                refused(&output, said, &format!("{option} {file}"));
                assert!(output.stdout.is_empty(), "{option} {file}: it is found out before the run");
                untouched(folder.path(), &option);
            }
            read_only(folder.path(), &|file, said| refused(&run(file), said, &format!("{option} {file}")));
            if cfg!(target_os = "linux") {
                refused(&run("/dev/full"), "cannot write `/dev/full`: No space left on device", &option);
                untouched(folder.path(), &option);
            }
            full_disk(&self.in_folder(folder.path(), &[&option, "out"]), &option);
            full_disk(&self.in_folder(folder.path(), &[&option, "precious"]), &option);
            untouched(folder.path(), &option);

            let output = run("out");
            assert!(output.status.success(), "{option}: {}", text(&output.stderr));
            assert!(fs::metadata(folder.path().join("out")).unwrap().len() > 0, "{option} wrote nothing");
        }
    }

    /// All outputs are written, whatever became of one of them.
    #[cfg(target_os = "linux")]
    pub fn check_that_one_failure_leaves_the_others(&self) {
        let options = self.writing();
        for failing in &options {
            let folder = folder();
            let mut args = Vec::new();
            for (k, option) in options.iter().enumerate() {
                let file = if option == failing { "/dev/full".to_owned() } else { format!("out{k}") };
                args.extend([option.clone(), file]);
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let output = self.in_folder(folder.path(), &args).output().unwrap();
            refused(&output, "cannot write `/dev/full`: No space left on device", failing);
            // The mesh is written before the run, which does not begin without it.
            let written = (0..options.len()).filter(|k| folder.path().join(format!("out{k}")).exists()).count();
            let expected = if failing == "--write-mesh" { 0 } else { options.len() - 1 };
            assert_eq!(written, expected, "{failing}");
        }
    }

    /// Text for standard output arrives, or the program fails; standard error does not matter.
    #[cfg(target_os = "linux")]
    pub fn check_streams(&self) {
        let folder = folder();
        let full = || Stdio::from(fs::File::options().write(true).open("/dev/full").unwrap());
        for args in [&[][..], &["--help"]] {
            let output = self.in_folder(folder.path(), args).stdout(full()).output().unwrap();
            refused(&output, "cannot write standard output: No space left on device", &format!("{args:?}"));

            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = self.in_folder(folder.path(), args).stdout(writer).output().unwrap();
            assert_eq!(output.status.code(), Some(141), "{args:?}: {}", text(&output.stderr));
            assert_eq!(text(&output.stderr), "", "{args:?}");

            let status = self.in_folder(folder.path(), args).stdout(Stdio::null()).stderr(full()).status().unwrap();
            assert!(status.success(), "{args:?}: {status}");
        }
        let status = self.in_folder(folder.path(), &["--nonsense"]).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(2));
    }

    /// The log goes to standard error alone, as far as flags and `OP2_LOG` ask for it; a level that does not exist is refused.
    /// `args` are those of a short run on threads.
    pub fn check_log(&self, args: &[&str]) {
        let run = |more: &[&str], variable: Option<&str>| {
            let mut command = Command::new(self.path);
            command.args(args).args(["--threads", "2"]).args(more).env_remove("OP2_LOG");
            if let Some(level) = variable {
                command.env("OP2_LOG", level);
            }
            let output = command.output().unwrap();
            (output.status.code(), text(&output.stdout), text(&output.stderr))
        };
        // What a loop took differs from run to run.
        let lines = |out: &str| out.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
        let silent = run(&[], None);
        assert_eq!((silent.0, silent.2.as_str()), (Some(0), ""));
        for (more, variable, plans) in [
            (&["--verbose"][..], None, false),
            (&["-vv"], None, true),
            (&[], Some("info"), false),
            (&["-v"], Some("off"), false),
            (&[], Some("debug"), true),
        ] {
            let (status, out, told) = run(more, variable);
            assert_eq!((status, lines(&out)), (Some(0), lines(&silent.1)), "{more:?} {variable:?}");
            assert_eq!(out.lines().count(), silent.1.lines().count(), "{more:?} {variable:?}");
            let choice = told.lines().any(|line| line.starts_with("[op2::choice] ") && line.contains(" s: loop `"));
            assert!(choice && told.contains("[op2::plan] ") == plans, "{more:?} {variable:?}: {told}");
        }
        let (status, out, told) = run(&["-v"], Some("nonsense"));
        assert_eq!((status, out.as_str()), (Some(2), ""), "{told}");
        let expected = "expected `off`, `error`, `warn`, `info`, `debug` or `trace`, found `nonsense`";
        assert_eq!(told, format!("error: environment variable `OP2_LOG`: {expected}\n"));
    }

    /// The help names every option, and how the program ends.
    pub fn check_help(&self) {
        let output = Command::new(self.path).arg("--help").output().unwrap();
        let help = text(&output.stdout);
        for option in self.command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(help.contains(&format!(" --{option}")), "{option}: {help}");
        }
        assert!(help.contains("Exit status: 0 if"), "{help}");
        // Braces stand for words that each app has to give.
        assert!(!help.contains(['{', '}']), "{help}");
    }

    /// A reader that goes away after the first line ends the run. Only programs with enough to say can be asked.
    pub fn check_head(&self, long: &[&str]) {
        use std::io::{BufRead as _, BufReader, Read as _};
        let folder = folder();
        let mut command = self.in_folder(folder.path(), long);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "{line}");
        let mut complaints = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        assert_eq!((child.wait().unwrap().code(), complaints.as_str()), (Some(141), ""));
    }

    /// Values that no number of an option can have are refused before anything happens.
    pub fn check_numbers(&self) {
        let float = |kind| kind == TypeId::of::<f64>() || kind == TypeId::of::<f32>();
        let whole = |kind| kind != TypeId::of::<PathBuf>() && !float(kind);
        let floats = self.options(float).map(|option| (option, &["-1", "0", "nan", "", "-1e3", "much"][..]));
        let numbers = &["-1", "nan", "inf", "", "1.5", "99999999999999999999999", "0x10"][..];
        let all: Vec<_> = floats.chain(self.options(whole).map(|option| (option, numbers))).collect();
        assert!(!all.is_empty());
        for ((option, values), wrong) in all {
            for value in wrong {
                let args: Vec<&str> = std::iter::once(option.as_str()).chain(vec![*value; values]).collect();
                // An option cannot be given twice, so without the arguments of a short run.
                let output = Command::new(self.path).args(&args).output().unwrap();
                let said = text(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
                assert!(said.starts_with("error: ") && said.contains(&option), "{args:?}: {said}");
                assert!(output.stdout.is_empty(), "{args:?}");
            }
        }
    }
}

/// A folder with a file that must stay as it is, and a folder.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("precious"), "precious").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    folder
}

fn untouched(folder: &Path, what: &str) {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [OsStr::new("precious"), OsStr::new("sub")], "{what}");
    assert_eq!(fs::read_to_string(folder.join("precious")).unwrap(), "precious", "{what}");
}

fn refused(output: &Output, said: &str, what: &str) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{what}: {message}");
    assert!(message.starts_with("error: ") && message.contains(said), "{what}: expected `{said}`, found: {message}");
}

/// A folder without permission to write, which holds back all but root.
#[cfg(unix)]
fn read_only(folder: &Path, expect: &dyn Fn(&str, &str)) {
    use std::os::unix::fs::PermissionsExt as _;
    let locked = folder.join("sub");
    let allow = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    if fs::write(locked.join("probe"), "").is_err() {
        expect("sub/out", "cannot write `sub/out`: Permission denied");
    } else {
        fs::remove_file(locked.join("probe")).unwrap();
    }
    allow(0o755);
}

#[cfg(not(unix))]
fn read_only(_: &Path, _: &dyn Fn(&str, &str)) {}

/// The run with a limit of no bytes for any file, which says what a full disk says: when the first bytes leave the buffer,
/// for a small file at the last flush.
fn full_disk(run: &Command, what: &str) {
    if !cfg!(unix) {
        return;
    }
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]).arg(run.get_program()).args(run.get_args());
    let output = limited.current_dir(run.get_current_dir().unwrap()).output().unwrap();
    refused(&output, ": File too large", what);
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
