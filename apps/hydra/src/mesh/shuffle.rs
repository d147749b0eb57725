//! Random renumbering of a mesh, which destroys the locality of its numbering.

use op2_meshes::Permutation;

use super::Mesh;

/// Where the nodes of a renumbered mesh come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbering {
    nodes: Permutation,
}

impl Renumbering {
    /// Node data `values`, one entry per node in the new numbering, brought into the numbering of the input.
    pub fn nodes_as_input<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.nodes.inverse().rows(values)
    }

    /// The number that node `node` of the new numbering has in the input.
    pub fn node_of_input(&self, node: u32) -> u32 {
        self.nodes.old()[node as usize]
    }
}

impl Mesh {
    /// The same mesh with nodes, edges and parts of the boundary in a random order, and the renumbering of the nodes.
    /// The same `seed` gives the same numbering on every machine. Cells stay in order, and the ends of an edge keep
    /// theirs.
    pub fn shuffled(&self, seed: u64) -> (Self, Renumbering) {
        let [nodes, edges, parts] =
            [(self.nodes(), 0), (self.edges(), 1), (self.part_node.len(), 2)].map(|(len, set)| {
                // Each set has a seed of its own, as far from the others as it goes.
                Permutation::random(len as u32, seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(set)))
            });
        let mesh = Self {
            shape: self.shape,
            x: nodes.rows(&self.x),
            corners: self.corners.iter().map(|&node| nodes.new_numbers()[node as usize]).collect(),
            edge_nodes: edges.map(&self.edge_nodes, &nodes),
            normals: edges.rows(&self.normals),
            volumes: nodes.rows(&self.volumes),
            distance: nodes.rows(&self.distance),
            flag: nodes.rows(&self.flag),
            part_node: parts.map(&self.part_node, &nodes),
            part_normals: parts.rows(&self.part_normals),
            part_kind: parts.rows(&self.part_kind),
        };
        (mesh, Renumbering { nodes })
    }
}
