//! The mesh as text, in the manner of OP2's `new_grid.dat`.
//!
//! ```text
//! nnode ncell nedge npart corner    one line
//! x y z volume distance             nnode lines
//! node … node                       ncell lines
//! node node nx ny nz                nedge lines
//! node kind nx ny nz                npart lines
//! ```
//!
//! `corner` is the number of corners of every cell, 8 of hexahedra and 4 of tetrahedra, which stand in the order of
//! [`op2_meshes::space`]; only pictures need cells. The file holds the dual mesh, as the solver has it: for a node, the
//! volume of its dual cell, and its distance from the nearest wall with friction, 1e10 if there is none; for an edge, the
//! area vector of the dual face between its ends, from the first to the second; for each part of the boundary, its node,
//! and its area vector, out of the mesh. `kind` is 1 for a wall with friction, 2 for one without, 3 for an inflow, 4 for an
//! outflow, 5 for the undisturbed stream. A node has a part for each side of the mesh, and each kind, that it lies on.
//!
//! All numbers count from 0. Blank lines are skipped. Every number is read back exactly.

use std::io::{BufRead, Write};
use std::path::Path;

use op2_apps::file::{self, write_atomically};
use op2_apps::text::{self, Entry, Lines, Records, count, finite, room};

use super::{CELL, EDGE, Mesh, NODE, PART, Shape};
use crate::physics::{ON_WALL, kind};
use crate::{Error, Result};

/// Whole numbers stand in `f64`s beside area vectors, which hold all of them exactly.
type Line = [f64; 5];

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
        let ([nodes, cells, edges, parts], shape) = counts(&mut lines)?;
        let first = lines.number();
        let mut mesh = Self::empty(shape, nodes, edges);
        let records = [
            lines.records(
                NODE,
                nodes,
                "x y z volume distance",
                |_, word| finite(word),
                |[x, y, z, volume, distance]| {
                    mesh.x.push([x, y, z]);
                    mesh.volumes.push(volume);
                    mesh.distance.push(distance);
                },
            )?,
            match shape {
                Shape::Hexahedra => corners::<8, _>(&mut lines, cells, nodes, &mut mesh.corners)?,
                Shape::Tetrahedra => corners::<4, _>(&mut lines, cells, nodes, &mut mesh.corners)?,
            },
            vectors(&mut lines, EDGE, edges, "node node", &[Entry::of("node", nodes); 2], |[a, b, x, y, z]| {
                mesh.edge_nodes.push([a as u32, b as u32]);
                mesh.normals.push([x, y, z]);
            })?,
            vectors(
                &mut lines,
                PART,
                parts,
                "node kind",
                &[Entry::of("node", nodes), KINDS],
                |[node, kind, x, y, z]| {
                    mesh.part_node.push([node as u32]);
                    mesh.part_kind.push(kind as i32);
                    mesh.part_normals.push([x, y, z]);
                },
            )?,
        ];
        lines.expect_end()?;
        mesh.flag = mesh.flags();
        match mesh.check() {
            Ok(()) => Ok(mesh),
            Err(flaw) => Err(Error::Text(lines.flawed(&flaw, first, &records))),
        }
    }

    /// Writes the mesh to `path`, completely or not at all.
    ///
    /// # Errors
    ///
    /// [`file::Error`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), file::Error> {
        write_atomically(path, |out| self.write_text(out))
    }

    fn write_text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let counts = [self.nodes(), self.cells(), self.edges(), self.parts()];
        writeln!(out, "{} {} {} {} {}", counts[0], counts[1], counts[2], counts[3], self.corners_per_cell())?;
        for (([x, y, z], volume), distance) in self.x.iter().zip(&self.volumes).zip(&self.distance) {
            // The debug form is the shortest decimal that is read back as the same number.
            writeln!(out, "{x:?} {y:?} {z:?} {volume:?} {distance:?}")?;
        }
        for corners in self.corners.chunks(self.corners_per_cell()) {
            for (k, corner) in corners.iter().enumerate() {
                write!(out, "{}{corner}", if k == 0 { "" } else { " " })?;
            }
            writeln!(out)?;
        }
        for ([a, b], [x, y, z]) in self.edge_nodes.iter().zip(&self.normals) {
            writeln!(out, "{a} {b} {x:?} {y:?} {z:?}")?;
        }
        for (([node], kind), [x, y, z]) in self.part_node.iter().zip(&self.part_kind).zip(&self.part_normals) {
            writeln!(out, "{node} {kind} {x:?} {y:?} {z:?}")?;
        }
        Ok(())
    }

    fn empty(shape: Shape, nodes: usize, edges: usize) -> Self {
        Self {
            shape,
            x: room(nodes),
            corners: Vec::new(),
            edge_nodes: room(edges),
            normals: room(edges),
            volumes: room(nodes),
            distance: room(nodes),
            flag: Vec::new(),
            part_node: Vec::new(),
            part_normals: Vec::new(),
            part_kind: Vec::new(),
        }
    }

    /// The flags that follow from the parts of the boundary.
    pub(super) fn flags(&self) -> Vec<i32> {
        let mut flags = vec![0; self.nodes()];
        let walls = self.part_node.iter().zip(&self.part_kind).filter(|(_, kind)| **kind == kind::WALL);
        walls.for_each(|([node], _)| flags[*node as usize] = ON_WALL);
        flags
    }
}

const KINDS: Entry =
    Entry { name: "kind", valid: [kind::WALL as i64, kind::STREAM as i64], meaning: super::check::KINDS };

/// The numbers of nodes, cells, edges and parts, and the shape of the cells.
fn counts<R: BufRead>(lines: &mut Lines<R>) -> Result<([usize; 4], Shape), text::Error> {
    const NAMES: [&str; 5] = ["nnode", "ncell", "nedge", "npart", "corner"];
    let convert = |n: usize, word: &str| match n {
        4 => count(NAMES[4], word, 0).and_then(|corners| match corners {
            4 | 8 => Ok(corners),
            _ => Err(format!("`corner` is {corners}, expected 8 for hexahedra or 4 for tetrahedra")),
        }),
        // Nodes are required, so that entries have a valid range; `Mesh::check` tests the rest.
        _ => count(NAMES[n], word, usize::from(n == 0)),
    };
    let [nodes, cells, edges, parts, corners] =
        lines.values(|| "the line of counts".into(), &NAMES.join(" "), convert)?;
    let shape = if corners == 4 { Shape::Tetrahedra } else { Shape::Hexahedra };
    Ok(([nodes, cells, edges, parts], shape))
}

/// The corners of `cells` cells, which are added to `all`.
fn corners<const C: usize, R: BufRead>(
    lines: &mut Lines<R>,
    cells: usize,
    nodes: usize,
    all: &mut Vec<u32>,
) -> Result<Records, text::Error> {
    let node = Entry::of("node", nodes);
    let add = |corners: [i64; C]| all.extend(corners.map(|node| node as u32));
    lines.records(CELL, cells, &["node"; C].join(" "), |_, word| node.value(word), add)
}

/// A set whose records are two whole numbers and an area vector.
fn vectors<R: BufRead>(
    lines: &mut Lines<R>,
    set: &'static str,
    count: usize,
    names: &str,
    entries: &[Entry; 2],
    add: impl FnMut(Line),
) -> Result<Records, text::Error> {
    let convert = |n: usize, word: &str| match entries.get(n) {
        Some(entry) => entry.value(word).map(|value| value as f64),
        None => finite(word),
    };
    lines.records(set, count, &format!("{names} nx ny nz"), convert, add)
}
