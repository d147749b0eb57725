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

use std::io::{BufRead, Write};
use std::path::Path;

use op2_apps::file::{self, write_atomically};
use op2_apps::text::{self, Entry, Lines, count, finite, room};

use super::{BOUNDARY_EDGE, CELL, EDGE, Mesh, NODE};
use crate::physics::{FAR_FIELD, WALL};
use crate::{Error, Result};

impl Mesh {
    /// Reads the mesh file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Text`] if the file cannot be read; or with the line and the reason if it is truncated, has a line with too
    /// few or too many numbers, something that is no number or not finite, a number that is negative or out of range, or
    /// goes on after its last record; or if it holds a mesh that [`Mesh::check`] refuses.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(text::open(path)?, &path.display().to_string())
    }

    /// Reads a mesh from `text`; errors call it `name`.
    ///
    /// # Errors
    ///
    /// As [`Mesh::read`].
    pub fn parse(text: impl BufRead, name: &str) -> Result<Self> {
        let mut lines = Lines::new(text, name);
        let [nodes, cells, edges, boundary_edges] = counts(&mut lines)?;
        let first = lines.number();
        let (node, cell) = (Entry::of("node", nodes), Entry::of("cell", cells));
        let kinds = Entry {
            name: "bound",
            valid: [i64::from(WALL), i64::from(FAR_FIELD)],
            meaning: "1 (wall) or 2 (far field)",
        };
        let mut mesh = Self { x: room(nodes), cell_nodes: room(cells), ..Self::default() };
        let records = [
            lines.records(NODE, nodes, "x y", |_, word| finite(word), |x| mesh.x.push(x))?,
            whole(&mut lines, CELL, cells, [node; 4], |e| mesh.cell_nodes.push(e.map(|v| v as u32)))?,
            whole(&mut lines, EDGE, edges, [node, node, cell, cell], |[n1, n2, c1, c2]| {
                mesh.edge_nodes.push([n1 as u32, n2 as u32]);
                mesh.edge_cells.push([c1 as u32, c2 as u32]);
            })?,
            whole(&mut lines, BOUNDARY_EDGE, boundary_edges, [node, node, cell, kinds], |[n1, n2, c, bound]| {
                mesh.bedge_nodes.push([n1 as u32, n2 as u32]);
                mesh.bedge_cell.push(c as u32);
                mesh.bound.push(bound as i32);
            })?,
        ];
        lines.expect_end()?;
        match mesh.check() {
            Ok(()) => Ok(mesh),
            Err(flaw) => Err(Error::Text(lines.flawed(&flaw, first, &records))),
        }
    }

    /// Writes the mesh to `path`, completely or not at all. Every coordinate is read back exactly.
    ///
    /// # Errors
    ///
    /// [`file::Error`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), file::Error> {
        write_atomically(path, |out| self.write_text(out))
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

fn counts<R: BufRead>(lines: &mut Lines<R>) -> Result<[usize; 4], text::Error> {
    const NAMES: [&str; 4] = ["nnode", "ncell", "nedge", "nbedge"];
    // Nodes and cells are required, so that entries have a valid range; `Mesh::check` tests the rest.
    let convert = |n: usize, word: &str| count(NAMES[n], word, usize::from(n < 2));
    lines.values(|| "the line of counts".into(), &NAMES.join(" "), convert)
}

/// A set of `count` records, all of whose entries are whole numbers.
fn whole<R: BufRead, const N: usize>(
    lines: &mut Lines<R>,
    kind: &'static str,
    count: usize,
    entries: [Entry; N],
    add: impl FnMut([i64; N]),
) -> Result<text::Records, text::Error> {
    lines.records(kind, count, &entries.map(|e| e.name).join(" "), |n, word| entries[n].value(word), add)
}
