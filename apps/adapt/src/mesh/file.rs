//! Meshes as text.
//!
//! ```text
//! vertices facets                   one line
//! x y                               a line for each vertex
//! vertex vertex vertex              a line for each facet, counter-clockwise
//! ```
//!
//! All numbers count from 0. Blank lines are skipped.

use std::io::{BufRead, Write};
use std::path::Path;

use op2_apps::file::{self, write_atomically};
use op2_apps::text::{self, Entry, Lines, count, finite, room};

use super::{FACET, Mesh, VERTEX};

impl Mesh {
    /// Reads the mesh file at `path`.
    ///
    /// # Errors
    /// [`text::Error`] if the file cannot be read; or with the line and the reason if it is truncated, has a line with too
    /// few or too many numbers, something that is no number or not finite, a vertex that is not there, or goes on after its
    /// last facet; or if it holds a mesh that [`Mesh::check`] refuses.
    pub fn read(path: &Path) -> Result<Self, text::Error> {
        Self::parse(text::open(path)?, &path.display().to_string())
    }

    /// Reads a mesh from `text`; errors call it `name`.
    ///
    /// # Errors
    /// As [`Mesh::read`].
    pub fn parse(text: impl BufRead, name: &str) -> Result<Self, text::Error> {
        let mut lines = Lines::new(text, name);
        let [vertices, facets] = lines.values(
            || "the line of counts".into(),
            "vertices facets",
            |n, word| count(["vertices", "facets"][n], word, 1),
        )?;
        let first = lines.number();
        let vertex = Entry::of(VERTEX, vertices);
        let mut mesh = Self { vertices: room(vertices), facets: room(facets) };
        let records = [
            lines.records(VERTEX, vertices, "x y", |_, word| finite(word), |place| mesh.vertices.push(place))?,
            lines.records(
                FACET,
                facets,
                "vertex vertex vertex",
                |_, word| vertex.value(word),
                |facet| mesh.facets.push(facet.map(|v| v as u32)),
            )?,
        ];
        lines.expect_end()?;
        mesh.check().map_err(|flaw| lines.flawed(&flaw, first, &records))?;
        Ok(mesh)
    }

    /// Writes the mesh to `path`, completely or not at all: coordinates with 17 significant digits, from which they are
    /// read back exactly.
    ///
    /// # Errors
    /// [`file::Error`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), file::Error> {
        write_atomically(path, |out| self.write_text(out))
    }

    fn write_text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "{} {}", self.vertices.len(), self.facets.len())?;
        self.vertices.iter().try_for_each(|[x, y]| writeln!(out, "{x:.16e} {y:.16e}"))?;
        self.facets.iter().try_for_each(|[a, b, c]| writeln!(out, "{a} {b} {c}"))
    }
}
