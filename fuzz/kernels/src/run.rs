//! Runs the program of a batch and reads its output.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// The longest time between two lines of output.
const PATIENCE: Duration = Duration::from_secs(120);

/// A failed run of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The index of the case in its batch.
    pub case: usize,
    /// The number of the setting.
    pub setting: usize,
    /// `differs`, `bits`, `panic`, `refused`, `invalid`, `crash`, `hang` or `compile`.
    pub kind: String,
    /// The values found and expected, or the program's message.
    pub text: String,
    /// The setting as text.
    pub how: String,
}

/// Counts over all runs.
#[derive(Debug, Default)]
pub struct Tally {
    /// Runs of a case in a setting.
    pub runs: usize,
    /// Scalars that were compared.
    pub compared: usize,
    /// How often each value of each dimension occurred.
    pub dimensions: BTreeMap<String, BTreeMap<String, usize>>,
}

/// The settings in which cases run.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Numbers of settings of the CPU.
    pub plain: Vec<usize>,
    /// Numbers of settings of the emulator.
    pub emulated: Vec<usize>,
}

/// Runs cases. Their names are `c` and their index.
///
/// # Errors
/// If the program cannot be started.
pub fn run(
    program: &Path,
    cache: &Path,
    settings: &Settings,
    cases: &[usize],
    tally: &mut Tally,
) -> io::Result<Vec<Failure>> {
    let mut failures = Vec::new();
    let mut open = cases.to_vec();
    while !open.is_empty() {
        let mut child = start(program, cache, settings, &open)?;
        let lines = lines(&mut child);
        let mut last: Option<(usize, usize, String)> = None;
        let ended = loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => note(&line, &mut last, tally, &mut failures),
                Err(mpsc::RecvTimeoutError::Disconnected) => break "crash",
                Err(mpsc::RecvTimeoutError::Timeout) => break "hang",
            }
        };
        let _ = child.kill();
        let status = child.wait()?;
        let Some((case, setting, how)) = last.filter(|_| !status.success()) else { break };
        failures.push(Failure { case, setting, kind: ended.to_owned(), text: status.to_string(), how });
        // Continue after the case that failed.
        let at = open.iter().position(|&n| n == case).map_or(open.len(), |at| at + 1);
        open.drain(..at);
    }
    Ok(failures)
}

fn start(program: &Path, cache: &Path, settings: &Settings, cases: &[usize]) -> io::Result<Child> {
    let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let mut command = Command::new(program);
    command.arg(list(&settings.plain)).arg(list(&settings.emulated)).args(cases.iter().map(|n| format!("c{n}")));
    command.env("OP2_CACHE_DIR", cache).env_remove("OP2_ISA").env_remove("OP2_STRATEGY");
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
}

fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

fn note(line: &str, last: &mut Option<(usize, usize, String)>, tally: &mut Tally, failures: &mut Vec<Failure>) {
    let mut words = line.splitn(4, ' ');
    let (word, name, number) = (words.next(), words.next(), words.next());
    let rest = words.next().unwrap_or_default();
    let case = name.and_then(|name| name.strip_prefix('c')).and_then(|n| n.parse().ok());
    let (Some(word), Some(case), Some(setting)) = (word, case, number.and_then(|n| n.parse().ok())) else { return };
    match word {
        "start" => *last = Some((case, setting, rest.to_owned())),
        "ok" => {
            tally.runs += 1;
            tally.compared += rest.split(' ').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
            let how = last.as_ref().map(|(_, _, how)| how.clone()).unwrap_or_default();
            for (dimension, value) in how.split(' ').filter_map(|part| part.split_once('=')) {
                let values = tally.dimensions.entry(dimension.to_owned()).or_default();
                *values.entry(value.to_owned()).or_default() += 1;
            }
        }
        "bad" => {
            tally.runs += 1;
            let (kind, text) = rest.split_once(' ').unwrap_or((rest, ""));
            let how = last.as_ref().map(|(_, _, how)| how.clone()).unwrap_or_default();
            let (kind, text) = (kind.to_owned(), text.to_owned());
            failures.push(Failure { case, setting, kind, text, how });
        }
        _ => {}
    }
}
