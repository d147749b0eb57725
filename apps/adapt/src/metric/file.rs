//! Metrics as text: a regular grid over the bounding box of a mesh.
//!
//! ```text
//! nx ny                             one line
//! m00 m01 m11                       a line for each of nx · ny nodes, x fastest
//! ```

use std::io::{BufRead, Write};
use std::path::Path;

use op2_apps::file::{self, write_atomically};
use op2_apps::flaw::Flaw;
use op2_apps::text::{self, Lines, count, finite, room};

use super::{Metric, NODE};
use crate::mesh::Mesh;

impl Metric {
    /// Reads the metric file at `path`; its grid spans the bounding box of `mesh`.
    ///
    /// # Errors
    /// [`text::Error`] if the file cannot be read; or with the line and the reason if it is not of this form, or holds a
    /// metric that [`Metric::check`] refuses.
    pub fn read(path: &Path, mesh: &Mesh) -> Result<Self, text::Error> {
        Self::parse(text::open(path)?, &path.display().to_string(), mesh)
    }

    /// Reads a metric from `text`; errors call it `name`.
    ///
    /// # Errors
    /// As [`Metric::read`].
    pub fn parse(text: impl BufRead, name: &str, mesh: &Mesh) -> Result<Self, text::Error> {
        let mut lines = Lines::new(text, name);
        let nodes: [usize; 2] =
            lines.values(|| "the line of counts".into(), "nx ny", |n, word| count(["nx", "ny"][n], word, 2))?;
        let first = lines.number();
        let all = nodes[0].saturating_mul(nodes[1]);
        if all >= u32::MAX as usize {
            let reason = format!("{} by {} nodes are more than 32 bits number: take fewer", nodes[0], nodes[1]);
            return Err(lines.flawed(&Flaw::of_mesh(reason), first, &[]));
        }
        let mut values = room(all);
        let records = lines.records(NODE, all, "m00 m01 m11", |_, word| finite(word), |m| values.push(m))?;
        lines.expect_end()?;
        let metric = Self { values, ..Self::grid(mesh.bounds(), nodes) };
        metric.check().map_err(|flaw| lines.flawed(&flaw, first, &[records]))?;
        Ok(metric)
    }

    /// Writes the values to `path`, completely or not at all, with 17 significant digits, from which they are read back
    /// exactly.
    ///
    /// # Errors
    /// [`file::Error`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), file::Error> {
        write_atomically(path, |out: &mut dyn Write| {
            writeln!(out, "{} {}", self.nodes[0], self.nodes[1])?;
            self.values.iter().try_for_each(|[a, b, c]| writeln!(out, "{a:.16e} {b:.16e} {c:.16e}"))
        })
    }
}
