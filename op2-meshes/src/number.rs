//! Numbers the edges and faces of cells without a search.
//!
//! A *part* of a cell (an edge, a face) is a few corners of a brick. Its lowest corner is a point of the lattice, and
//! the positions of the other corners relative to it are one of few *kinds*: three kinds of edges for hexahedra, twelve
//! kinds of faces for tetrahedra. Point and kind together identify the part from any cell, so a table with one entry
//! per point and kind finds the parts that cells share. It also works across periodic borders.

use crate::Error;
use crate::lattice::{CORNERS, Corner, Lattice};

/// An entry without a number. No number equals it, since sets have at most `u32::MAX` elements.
const NONE: u32 = u32::MAX;

/// The `L` parts, of `N` corners each, of the cells in a brick.
pub(crate) struct Parts<const L: usize, const N: usize> {
    /// Corners of each part of each cell, in the order of the part's row.
    corners: Vec<[[Corner; N]; L]>,
    /// Lowest corner and kind of each part of each cell.
    places: Vec<[(Corner, usize); L]>,
    /// Corners of each kind, relative to its lowest, sorted.
    kinds: Vec<[Corner; N]>,
}

/// Parts and their numbers.
pub(crate) struct Numbered<const L: usize, const N: usize> {
    /// Points of each part.
    pub(crate) nodes: Vec<[u32; N]>,
    /// Numbers of the parts of each cell.
    pub(crate) of_cell: Vec<[u32; L]>,
}

/// Interior and boundary faces.
pub(crate) struct Faces<const L: usize, const N: usize> {
    pub(crate) nodes: Vec<[u32; N]>,
    pub(crate) cells: Vec<[u32; 2]>,
    pub(crate) boundary_nodes: Vec<[u32; N]>,
    pub(crate) boundary_cell: Vec<[u32; 1]>,
    /// Faces of each cell; those of the boundary are numbered after the interior ones.
    pub(crate) of_cell: Vec<[u32; L]>,
}

impl<const L: usize, const N: usize> Parts<L, N> {
    /// The parts whose corners are at the positions `local` of a cell's corners.
    pub(crate) fn new<const C: usize>(cells: &[[Corner; C]], local: &[[usize; N]; L]) -> Self {
        let corners: Vec<_> = cells.iter().map(|cell| local.map(|part| part.map(|k| cell[k]))).collect();
        let mut kinds = Vec::new();
        let mut place = |part: [Corner; N]| {
            let lowest = part.iter().fold(Corner::MAX, |all, corner| all & corner);
            let mut kind = part.map(|corner| corner ^ lowest);
            kind.sort_unstable();
            let known = kinds.iter().position(|&k| k == kind);
            (lowest, known.unwrap_or_else(|| (kinds.push(kind), kinds.len() - 1).1))
        };
        let places = corners.iter().map(|parts| parts.map(&mut place)).collect();
        Self { corners, places, kinds }
    }

    /// The same parts with rows from the lower corners to the upper ones, whichever cell comes first.
    pub(crate) fn ascending(mut self) -> Self {
        self.corners.iter_mut().flatten().for_each(|part| part.sort_unstable());
        self
    }

    /// The number of parts in the whole lattice.
    pub(crate) fn count<const D: usize>(&self, lattice: &Lattice<D>) -> u128 {
        let extent = |kind: &[Corner; N]| kind.iter().fold(0, |all, corner| all | corner);
        self.kinds.iter().map(|kind| lattice.count(extent(kind))).fold(0, u128::saturating_add)
    }

    /// Numbers the parts in the order in which cells reach them.
    pub(crate) fn number<const D: usize>(&self, lattice: &Lattice<D>) -> Numbered<L, N> {
        let mut known = vec![NONE; lattice.count(0) as usize * self.kinds.len()];
        let mut nodes = Vec::with_capacity(self.count(lattice) as usize);
        let mut of_cell = Vec::with_capacity(lattice.bricks.iter().product::<usize>() * self.corners.len());
        for points in lattice.bricks() {
            for (parts, places) in self.corners.iter().zip(&self.places) {
                of_cell.push(std::array::from_fn(|part| {
                    let (lowest, kind) = places[part];
                    let number = &mut known[points[lowest as usize] as usize * self.kinds.len() + kind];
                    if *number == NONE {
                        *number = nodes.len() as u32;
                        nodes.push(at(&points, parts[part]));
                    }
                    *number
                }));
            }
        }
        Numbered { nodes, of_cell }
    }
}

impl<const L: usize, const N: usize> Numbered<L, N> {
    /// Finds the cells of parts that belong to one or two cells each. The first cell of a part is the one that its row
    /// was taken from.
    pub(crate) fn into_faces(self) -> Faces<L, N> {
        let mut sides = vec![[NONE; 2]; self.nodes.len()];
        for (cell, faces) in self.of_cell.iter().enumerate() {
            for &face in faces {
                let side = &mut sides[face as usize];
                side[usize::from(side[0] != NONE)] = cell as u32;
            }
        }
        let interior = sides.iter().filter(|side| side[1] != NONE).count();
        let outer = sides.len() - interior;
        let mut faces = Faces {
            nodes: Vec::with_capacity(interior),
            cells: Vec::with_capacity(interior),
            boundary_nodes: Vec::with_capacity(outer),
            boundary_cell: Vec::with_capacity(outer),
            of_cell: self.of_cell,
        };
        let mut new = Vec::with_capacity(sides.len());
        for (row, side) in self.nodes.into_iter().zip(sides) {
            if side[1] == NONE {
                new.push((interior + faces.boundary_nodes.len()) as u32);
                faces.boundary_nodes.push(row);
                faces.boundary_cell.push([side[0]]);
            } else {
                new.push(faces.nodes.len() as u32);
                faces.nodes.push(row);
                faces.cells.push(side);
            }
        }
        faces.of_cell.iter_mut().flatten().for_each(|face| *face = new[*face as usize]);
        faces
    }
}

/// The points at the corners of the cells, brick by brick.
pub(crate) fn cell_nodes<const D: usize, const C: usize>(lattice: &Lattice<D>, cells: &[[Corner; C]]) -> Vec<[u32; C]> {
    lattice.bricks().flat_map(|points| cells.iter().map(move |&cell| at(&points, cell))).collect()
}

/// Refuses sets that are too large for map entries.
pub(crate) fn check_counts(counts: &[(&'static str, u128)]) -> Result<(), Error> {
    match counts.iter().find(|(_, count)| *count > u128::from(u32::MAX)) {
        Some(&(set, _)) => Err(Error::TooLarge { set }),
        None => Ok(()),
    }
}

fn at<const N: usize>(points: &[u32; CORNERS], corners: [Corner; N]) -> [u32; N] {
    corners.map(|corner| points[corner as usize])
}
