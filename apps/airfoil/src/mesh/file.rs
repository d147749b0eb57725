//! OP2's mesh file `new_grid.dat`, as text.
//!
//! ```text
//! nnode ncell nedge nbedge          one line
//! x y                               nnode lines
//! node node node node               ncell lines
//! node node cell cell               nedge lines
//! node node cell bound              nbedge lines
//! ```
//!
//! All numbers count from 0, `bound` is 1 on the profile and 2 in the far field. Blank lines are skipped.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use op2_apps::file::write_atomically;

use super::Mesh;
use crate::physics::{FAR_FIELD, WALL};
use crate::{Error, Result};

/// A line of a mesh file is far shorter; a longer one is no text, and is not worth reading into memory.
const LONGEST_LINE: u64 = 4096;

/// Every number of a mesh fits OP2's `int`.
const LARGEST_COUNT: i128 = i32::MAX as i128;

/// Memory is set aside for at most this many records before they have been seen, whatever the first line claims.
const TRUSTED_RECORDS: usize = 1 << 16;

impl Mesh {
    /// Reads the mesh file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::File`] if the file cannot be read; [`Error::MeshText`] with the line and the reason if it is truncated,
    /// has a line with too few or too many numbers, something that is no number or not finite, a number that is
    /// negative or out of range, or goes on after its last record.
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |e: std::io::Error| Error::File { action: "read", path: path.into(), reason: e.to_string() };
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            let reason = "it is a folder, expected a mesh file".into();
            return Err(Error::File { action: "read", path: path.into(), reason });
        }
        Self::parse(BufReader::new(file), &path.display().to_string())
    }

    /// Reads a mesh from `text`; errors call it `name`.
    ///
    /// # Errors
    ///
    /// As [`Mesh::read`].
    pub fn parse(text: impl BufRead, name: &str) -> Result<Self> {
        let mut lines = Lines { text, name, number: 0, line: Vec::new() };
        let [nodes, cells, edges, boundary_edges] = counts(&mut lines)?;
        let mesh = Self {
            x: records(nodes, |k| coordinates(&mut lines, k, nodes))?,
            cell_nodes: records(cells, |k| {
                lines.record("cell", k, cells, [Entry::node(nodes); 4]).map(|e| e.map(|v| v as u32))
            })?,
            ..Self::default()
        };
        mesh.with_edges(&mut lines, edges, boundary_edges)
    }

    /// Writes the mesh to `path`, completely or not at all. Every coordinate is read back exactly.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        Ok(write_atomically(path, |out| self.write_text(out))?)
    }

    fn with_edges<R: BufRead>(mut self, lines: &mut Lines<R>, edges: usize, boundary_edges: usize) -> Result<Self> {
        let (node, cell) = (Entry::node(self.nodes()), Entry::cell(self.cells()));
        let kinds = Entry { name: "bound", valid: [i128::from(WALL), i128::from(FAR_FIELD)] };
        for [n1, n2, c1, c2] in records(edges, |k| lines.record("edge", k, edges, [node, node, cell, cell]))? {
            self.edge_nodes.push([n1 as u32, n2 as u32]);
            self.edge_cells.push([c1 as u32, c2 as u32]);
        }
        for [n1, n2, c, bound] in
            records(boundary_edges, |k| lines.record("boundary edge", k, boundary_edges, [node, node, cell, kinds]))?
        {
            self.bedge_nodes.push([n1 as u32, n2 as u32]);
            self.bedge_cell.push(c as u32);
            self.bound.push(bound as i32);
        }
        lines.expect_end()?;
        Ok(self)
    }

    fn write_text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let counts = [self.nodes(), self.cells(), self.edges(), self.boundary_edges()];
        writeln!(out, "{} {} {} {}", counts[0], counts[1], counts[2], counts[3])?;
        for [x, y] in &self.x {
            // The debug form is the shortest decimal that is read back as the same number.
            writeln!(out, "{x:?} {y:?}")?;
        }
        for [a, b, c, d] in &self.cell_nodes {
            writeln!(out, "{a} {b} {c} {d}")?;
        }
        for ([a, b], [c, d]) in self.edge_nodes.iter().zip(&self.edge_cells) {
            writeln!(out, "{a} {b} {c} {d}")?;
        }
        for (([a, b], c), bound) in self.bedge_nodes.iter().zip(&self.bedge_cell).zip(&self.bound) {
            writeln!(out, "{a} {b} {c} {bound}")?;
        }
        Ok(())
    }
}

/// What a whole number in the file stands for, and which values it may have.
#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    /// The smallest and the largest.
    valid: [i128; 2],
}

impl Entry {
    fn node(nodes: usize) -> Self {
        Self { name: "node", valid: [0, nodes as i128 - 1] }
    }

    fn cell(cells: usize) -> Self {
        Self { name: "cell", valid: [0, cells as i128 - 1] }
    }

    fn check(self, value: i128) -> Result<i64, String> {
        let [least, greatest] = self.valid;
        if (least..=greatest).contains(&value) {
            // The bounds are within `i32`, so that the value is too.
            return Ok(value as i64);
        }
        let valid = if self.name == "bound" {
            format!("{WALL} (wall) or {FAR_FIELD} (far field)")
        } else {
            format!("{least}..={greatest}")
        };
        Err(format!("{} {value} is out of range (valid: {valid})", self.name))
    }
}

/// The lines of the file that are not blank, one at a time.
struct Lines<'a, R> {
    text: R,
    name: &'a str,
    number: usize,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<'_, R> {
    /// Moves to the next line with anything on it; false at the end of the file.
    fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = std::io::Read::take(&mut self.text, LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut self.line).map_err(|e| Error::File {
                action: "read",
                path: self.name.into(),
                reason: e.to_string(),
            })?;
            if read as u64 == LONGEST_LINE {
                return Err(self.error(format!("the line has {LONGEST_LINE} or more bytes, expected a few numbers")));
            }
            if read == 0 || !self.line.trim_ascii().is_empty() {
                return Ok(read > 0);
            }
        }
    }

    /// The `N` values of the next line, each converted from its word and its place by `convert`. `what` names the
    /// record in errors, `form` is what it should look like.
    fn values<T: Copy + Default, const N: usize>(
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

    /// The record number `k` of `count` called `kind`, all of whose entries are whole numbers.
    fn record<const N: usize>(&mut self, kind: &str, k: usize, count: usize, entries: [Entry; N]) -> Result<[i64; N]> {
        let form = entries.map(|e| e.name).join(" ");
        self.values(|| format!("{kind} {k} of {count}"), &form, |n, word| entries[n].check(whole_number(word)?))
    }

    fn expect_end(&mut self) -> Result<()> {
        if self.advance()? {
            let rest = String::from_utf8_lossy(self.line.trim_ascii()).into_owned();
            return Err(self.error(format!("expected the end of the file, found `{}`", shown(&rest))));
        }
        Ok(())
    }

    fn error(&self, reason: String) -> Error {
        Error::MeshText { name: self.name.into(), line: self.number, reason }
    }
}

/// `count` records, each given by `next`.
fn records<T>(count: usize, mut next: impl FnMut(usize) -> Result<T>) -> Result<Vec<T>> {
    let mut out = Vec::with_capacity(count.min(TRUSTED_RECORDS));
    for k in 0..count {
        out.push(next(k)?);
    }
    Ok(out)
}

fn counts<R: BufRead>(lines: &mut Lines<R>) -> Result<[usize; 4]> {
    const NAMES: [&str; 4] = ["nnode", "ncell", "nedge", "nbedge"];
    lines.values(
        || "the line of counts".into(),
        &NAMES.join(" "),
        |n, word| {
            let count = whole_number(word)?;
            // Without nodes or cells there is nothing to compute on; edges may be missing.
            let least = i128::from(n < 2);
            if !(least..=LARGEST_COUNT).contains(&count) {
                let name = NAMES[n];
                return Err(format!("`{name}` is {count} (valid: {least}..={LARGEST_COUNT})"));
            }
            Ok(count as usize)
        },
    )
}

fn coordinates<R: BufRead>(lines: &mut Lines<R>, k: usize, count: usize) -> Result<[f64; 2]> {
    lines.values(
        || format!("node {k} of {count}"),
        "x y",
        |_, word| match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(format!("`{}` is not a finite number", shown(word))),
        },
    )
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
