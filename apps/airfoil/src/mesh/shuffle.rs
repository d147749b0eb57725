//! Random renumbering of a mesh, which destroys the locality of its numbering.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

use super::Mesh;

/// Where the elements of a renumbered mesh come from: entry `k` of a list is the input number of the element that is
/// number `k` now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbering {
    /// `[nodes]`
    pub nodes: Vec<u32>,
    /// `[cells]`
    pub cells: Vec<u32>,
    /// `[interior edges]`
    pub edges: Vec<u32>,
}

impl Renumbering {
    /// Cell data `values`, one entry per cell in the new numbering, brought into the numbering of the input.
    pub fn cells_as_input<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let mut out = values.to_vec();
        for (&input, &value) in self.cells.iter().zip(values) {
            out[input as usize] = value;
        }
        out
    }
}

impl Mesh {
    /// The same mesh with its nodes, cells and interior edges renumbered at random, and the renumbering.
    ///
    /// The same `seed` gives the same numbering on every machine. The order of the nodes within a cell or an edge, and
    /// of the cells within an edge, stays: their orientation depends on it. Boundary edges stay in order.
    pub fn shuffled(&self, seed: u64) -> (Self, Renumbering) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let input = Renumbering {
            nodes: permutation(self.nodes(), &mut random),
            cells: permutation(self.cells(), &mut random),
            edges: permutation(self.edges(), &mut random),
        };
        let node = inverse(&input.nodes);
        let cell = inverse(&input.cells);
        let mesh = Self {
            x: take(&self.x, &input.nodes),
            cell_nodes: renumber(&take(&self.cell_nodes, &input.cells), &node),
            edge_nodes: renumber(&take(&self.edge_nodes, &input.edges), &node),
            edge_cells: renumber(&take(&self.edge_cells, &input.edges), &cell),
            bedge_nodes: renumber(&self.bedge_nodes, &node),
            bedge_cell: self.bedge_cell.iter().map(|&c| cell[c as usize]).collect(),
            bound: self.bound.clone(),
        };
        (mesh, input)
    }
}

/// A random order of 0 … `len` − 1 (Fisher and Yates). The index is drawn by one multiplication rather than by the
/// crate's own ranges, because only the generator's raw output is promised to stay the same in later versions.
fn permutation(len: usize, random: &mut ChaCha8Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    for last in (1..len).rev() {
        let drawn = (u64::from(random.next_u32()) * (last as u64 + 1)) >> 32;
        order.swap(last, drawn as usize);
    }
    order
}

fn inverse(permutation: &[u32]) -> Vec<u32> {
    let mut out = vec![0; permutation.len()];
    for (k, &p) in permutation.iter().enumerate() {
        out[p as usize] = k as u32;
    }
    out
}

fn take<T: Copy>(values: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|&k| values[k as usize]).collect()
}

fn renumber<const N: usize>(entries: &[[u32; N]], new: &[u32]) -> Vec<[u32; N]> {
    entries.iter().map(|entry| entry.map(|k| new[k as usize])).collect()
}
