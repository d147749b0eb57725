//! Reading meshes as text: records of a few numbers, one per line.
//!
//! Blank lines are skipped. Every error names the file and the line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::flaw::Flaw;

/// The largest number of elements of a set: the largest `int` of C, as in OP2.
pub const LARGEST_COUNT: usize = i32::MAX as usize;

/// Lines of a mesh file are far shorter. A longer one is no text, and is not read into memory.
const LONGEST_LINE: u64 = 4096;

/// Memory is set aside for at most this many records before they have been seen, whatever the first line claims.
const TRUSTED_RECORDS: usize = 1 << 16;

/// A mesh file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be opened or read.
    #[error("cannot read `{}`: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why it failed.
        reason: String,
    },
    /// The text does not follow the format, or its mesh is invalid.
    #[error("`{name}`, line {line}: {reason}")]
    Line {
        /// The file's name.
        name: String,
        /// The line, counted from 1; one past the last line where the file ends too early.
        line: usize,
        /// Found and expected.
        reason: String,
    },
}

type Result<T, E = Error> = std::result::Result<T, E>;

/// Opens the file at `path`.
///
/// # Errors
///
/// [`Error::File`].
pub fn open(path: &Path) -> Result<BufReader<File>> {
    let failed = |reason: String| Error::File { path: path.into(), reason };
    let file = File::open(path).map_err(|e| failed(e.to_string()))?;
    if file.metadata().map_err(|e| failed(e.to_string()))?.is_dir() {
        return Err(failed("it is a folder, expected a file".into()));
    }
    Ok(BufReader::new(file))
}

/// The meaning of a whole number in the file, and the values it may have.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As the form of the line calls it.
    pub name: &'static str,
    /// The smallest and the largest.
    pub valid: [i64; 2],
    /// The same in words, where they have names; otherwise empty.
    pub meaning: &'static str,
}

impl Entry {
    /// The number of one of `count` elements.
    pub fn of(name: &'static str, count: usize) -> Self {
        Self { name, valid: [0, count as i64 - 1], meaning: "" }
    }

    /// The number that `word` states, if it is one of the valid ones.
    ///
    /// # Errors
    ///
    /// Found and expected.
    pub fn value(self, word: &str) -> Result<i64, String> {
        let value = whole_number(word)?;
        let [least, greatest] = self.valid.map(i128::from);
        if (least..=greatest).contains(&value) {
            // It is between two numbers that fit.
            return Ok(value as i64);
        }
        let range = format!("{least}..={greatest}");
        let valid = if self.meaning.is_empty() { &range } else { self.meaning };
        Err(format!("{} {value} is out of range (valid: {valid})", self.name))
    }
}

/// The number of elements of a set that `word` states, at least `least`; errors call it `name`.
///
/// # Errors
///
/// Found and expected.
pub fn count(name: &str, word: &str, least: usize) -> Result<usize, String> {
    let count = whole_number(word)?;
    if !(least as i128..=LARGEST_COUNT as i128).contains(&count) {
        return Err(format!("`{name}` is {count} (valid: {least}..={LARGEST_COUNT})"));
    }
    Ok(count as usize)
}

/// The finite number that `word` states.
///
/// # Errors
///
/// The text that was found.
pub fn finite(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{}` is not a finite number", shown(word))),
    }
}

/// The lines of the file that are not blank, one at a time.
pub struct Lines<'a, R> {
    text: R,
    name: &'a str,
    number: usize,
    line: Vec<u8>,
}

impl<'a, R: BufRead> Lines<'a, R> {
    /// The lines of `text`; errors call it `name`.
    pub fn new(text: R, name: &'a str) -> Self {
        Self { text, name, number: 0, line: Vec::new() }
    }

    /// The `N` values of the next line, each converted from its word and its position by `convert`. `what` names the
    /// record in errors, `form` is what it should look like.
    ///
    /// # Errors
    ///
    /// [`Error::Line`] if the file ends, or the line has another number of words, or one that `convert` refuses.
    pub fn values<T: Copy + Default, const N: usize>(
        &mut self,
        what: impl Fn() -> String,
        form: &str,
        convert: impl Fn(usize, &str) -> Result<T, String>,
    ) -> Result<[T; N]> {
        if !self.advance()? {
            return Err(self.error(format!("the file ends before {}, expected `{form}`", what())));
        }
        converted(&self.line, form, convert).map_err(|reason| self.error(format!("{}: {reason}", what())))
    }

    /// A set of `count` records, each of `N` values as in [`Lines::values`]; `add` takes them one by one.
    ///
    /// # Errors
    ///
    /// As [`Lines::values`].
    pub fn records<T: Copy + Default, const N: usize>(
        &mut self,
        kind: &'static str,
        count: usize,
        form: &str,
        convert: impl Fn(usize, &str) -> Result<T, String>,
        mut add: impl FnMut([T; N]),
    ) -> Result<Records> {
        let mut records = Records { kind, runs: Vec::new() };
        for k in 0..count {
            add(self.values(|| format!("{kind} {k} of {count}"), form, &convert)?);
            records.note(k, self.number);
        }
        Ok(records)
    }

    /// Fails unless nothing follows.
    ///
    /// # Errors
    ///
    /// [`Error::Line`] with what follows.
    pub fn expect_end(&mut self) -> Result<()> {
        if self.advance()? {
            let rest = String::from_utf8_lossy(self.line.trim_ascii()).into_owned();
            return Err(self.error(format!("expected the end of the file, found `{}`", shown(&rest))));
        }
        Ok(())
    }

    /// The flaw of the mesh that was read, with its line: that of the element, or `first`.
    pub fn flawed(&self, flaw: &Flaw, first: usize, records: &[Records]) -> Error {
        let at = flaw.element.and_then(|element| {
            let records = records.iter().find(|records| records.kind == element.kind)?;
            Some(records.line(element.number))
        });
        Error::Line { name: self.name.into(), line: at.unwrap_or(first), reason: flaw.to_string() }
    }

    /// The number of the line that was read last, counted from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Moves to the next line with anything on it; false at the end of the file.
    fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = std::io::Read::take(&mut self.text, LONGEST_LINE);
            let failed = |e: std::io::Error| Error::File { path: self.name.into(), reason: e.to_string() };
            let read = limited.read_until(b'\n', &mut self.line).map_err(failed)?;
            if read as u64 == LONGEST_LINE {
                return Err(self.error(format!("the line has {LONGEST_LINE} or more bytes, expected a few numbers")));
            }
            if read == 0 || !self.line.trim_ascii().is_empty() {
                return Ok(read > 0);
            }
        }
    }

    fn error(&self, reason: String) -> Error {
        Error::Line { name: self.name.into(), line: self.number, reason }
    }
}

/// The lines on which the records of a set stand.
pub struct Records {
    kind: &'static str,
    /// The number and the line of each record that is not on the line after the previous record's.
    runs: Vec<[usize; 2]>,
}

impl Records {
    fn note(&mut self, record: usize, line: usize) {
        if self.runs.last().is_none_or(|&[start, at]| at + (record - start) != line) {
            self.runs.push([record, line]);
        }
    }

    fn line(&self, record: usize) -> usize {
        let run = self.runs.partition_point(|&[start, _]| start <= record).saturating_sub(1);
        self.runs.get(run).map_or(1, |&[start, line]| line + record - start)
    }
}

/// An empty list with room for `count` records, but for no more than are plausible before they are read.
pub fn room<T>(count: usize) -> Vec<T> {
    Vec::with_capacity(count.min(TRUSTED_RECORDS))
}

/// The `N` values on `line`, or the reason why they are not what `form` says.
fn converted<T: Copy + Default, const N: usize>(
    line: &[u8],
    form: &str,
    convert: impl Fn(usize, &str) -> Result<T, String>,
) -> Result<[T; N], String> {
    let Ok(line) = std::str::from_utf8(line) else {
        return Err(format!("it is not text, expected `{form}`"));
    };
    let found = line.split_ascii_whitespace().count();
    if found != N {
        return Err(format!("found {found} values, expected {N}: `{form}`"));
    }
    let mut values = [T::default(); N];
    for (n, word) in line.split_ascii_whitespace().enumerate() {
        values[n] = convert(n, word).map_err(|reason| format!("value {}: {reason}", n + 1))?;
    }
    Ok(values)
}

fn whole_number(word: &str) -> Result<i128, String> {
    word.parse().map_err(|_| format!("`{}` is not a whole number", shown(word)))
}

/// The beginning of a piece of the file, fit to be printed on a terminal.
fn shown(text: &str) -> String {
    const LENGTH: usize = 40;
    let start: String = text.chars().take(LENGTH).flat_map(char::escape_debug).collect();
    if text.chars().count() > LENGTH { start + "…" } else { start }
}
