//! The machine and the date of figures.

use crate::{Error, Result};
use std::process::Command;
use std::{fs, thread};

/// The machine, and the build.
pub(super) struct Machine {
    /// Name of the processor.
    pub(super) name: String,
    pub(super) cores: usize,
    /// The day, `2026-11-23`.
    pub(super) date: String,
    /// The commit, marked if files have changed since.
    pub(super) commit: String,
    pub(super) compiler: String,
    /// The load averages of the last minute, before the first measurement and at the end.
    pub(super) load: [String; 2],
}

impl Machine {
    pub(super) fn look() -> Result<Self> {
        let name = first_line("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
        let changed = if said("git", &["status", "--porcelain"])?.is_empty() { "" } else { ", changed" };
        Ok(Machine {
            name,
            cores: thread::available_parallelism().map_or(1, usize::from),
            date: said("date", &["-u", "+%F"])?,
            commit: said("git", &["rev-parse", "--short", "HEAD"])? + changed,
            compiler: said("rustc", &["--version"])?,
            load: [load(), String::new()],
        })
    }

    /// Records the load at the end of all measurements.
    pub(super) fn end(&mut self) {
        self.load[1] = load();
    }

    /// The name of the file with the figures: `2026-11-23-amd-epyc-9r14-2-cores.md`.
    pub(super) fn file(&self) -> String {
        let plain = self.name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), " ");
        let words: Vec<&str> = plain.split_whitespace().collect();
        format!("{}-{}-{}-cores.md", self.date, words.join("-"), self.cores)
    }
}

/// The text after the colon in the first line that begins with `start`.
fn first_line(file: &str, start: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(start))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|word| !word.is_empty()).unwrap_or("unknown").to_owned()
}

fn said(program: &str, args: &[&str]) -> Result<String> {
    let failed = |output: String| Error::App { command: format!("{program} {}", args.join(" ")), output };
    let output = Command::new(program).args(args).output().map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_day_and_machine() {
        let machine = Machine {
            name: "AMD EPYC 9R14 (Zen 4) @ 2.6GHz".to_owned(),
            cores: 2,
            date: "2026-11-23".to_owned(),
            commit: String::new(),
            compiler: String::new(),
            load: Default::default(),
        };
        assert_eq!(machine.file(), "2026-11-23-amd-epyc-9r14-zen-4-2-6ghz-2-cores.md");
    }
}
