//! Meshes of difficult sizes: edges and nodes, with maps that share, miss and repeat targets.

use op2::{Op2, Set};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

op2::sets! { pub(crate) Edges, Nodes, Cells }

/// The sizes of two sets, and the kind of maps between them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mesh {
    pub(crate) edges: usize,
    pub(crate) nodes: usize,
    pub(crate) kind: Kind,
}

/// The kind of maps from edges to nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// At random; an edge may name a node twice, every third node is never named.
    Random,
    /// Consecutive edges share consecutive nodes, as in an ordered mesh.
    Ring,
    /// Every entry of every edge is the same node.
    Skewed,
    /// At random, but an edge contains a node at most once.
    Distinct,
    /// At random, but no node occurs twice.
    Injective,
}

/// The sets of a mesh, declared in an `Op2`.
#[derive(Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) edges: Set<Edges>,
    pub(crate) nodes: Set<Nodes>,
}

const SMALL: [usize; 4] = [0, 1, 2, 3];

impl Mesh {
    /// All pairs of small sizes, and sizes of more than two blocks of 256 with many, few and single targets. Where all edges
    /// share a target, every edge needs its own colour, and the work grows with the square of the number of edges, so there
    /// are fewer.
    pub(crate) fn all() -> Vec<Mesh> {
        use Kind::{Random, Ring, Skewed};
        let small = SMALL.iter().flat_map(|&edges| SMALL.map(|nodes| Mesh { edges, nodes, kind: Random }));
        let large = [
            (520, 521, Random),
            (521, 520, Ring),
            (131, 521, Skewed),
            (130, 3, Random),
            (67, 1, Random),
            (2, 520, Random),
            (0, 521, Random),
        ];
        let large = large.map(|(edges, nodes, kind)| Mesh { edges, nodes, kind });
        small.filter(|m| m.edges == 0 || m.nodes > 0).chain(large).collect()
    }

    /// A mesh that needs more than 256 colours.
    pub(crate) fn crowded() -> Mesh {
        Mesh { edges: 301, nodes: 521, kind: Kind::Skewed }
    }

    /// Meshes that are large enough for every rule of the prediction: an ordered one, for which large blocks suffice,
    /// and two that need global colouring.
    pub(crate) fn large() -> Vec<Mesh> {
        let large = [(20_000, 20_000, Kind::Ring), (20_000, 9_000, Kind::Random), (10_000, 40, Kind::Random)];
        large.map(|(edges, nodes, kind)| Mesh { edges, nodes, kind }).to_vec()
    }

    /// Meshes whose edges lead to `arity` different nodes.
    pub(crate) fn distinct(arity: usize) -> Vec<Mesh> {
        let fits = |m: &Mesh| m.edges == 0 || m.nodes >= arity;
        let distinct = |m: Mesh| Mesh { kind: if m.kind == Kind::Ring { m.kind } else { Kind::Distinct }, ..m };
        Mesh::all().into_iter().filter(fits).map(distinct).collect()
    }

    /// Meshes in which no node occurs twice among `arity` entries per edge.
    pub(crate) fn injective(arity: usize) -> Vec<Mesh> {
        let nodes = [0, 1, 2, 3, 520, 521];
        let full = nodes.map(|nodes| Mesh { edges: nodes / arity, nodes, kind: Kind::Injective });
        let sparse = [(0, 3), (1, 520), (100, 521)];
        let sparse = sparse.map(|(edges, nodes)| Mesh { edges, nodes, kind: Kind::Injective });
        full.into_iter().chain(sparse).collect()
    }

    /// Meshes with `size` edges: a ring with as many nodes, and a random one with few.
    pub(crate) fn around(size: usize) -> Vec<Mesh> {
        let ring = Mesh { edges: size, nodes: size, kind: Kind::Ring };
        vec![ring, Mesh { edges: size, nodes: 6, kind: Kind::Random }]
    }

    /// Sizes of a single set, as the nodes of a mesh without edges.
    pub(crate) fn single() -> Vec<Mesh> {
        [0, 1, 2, 3, 520, 521].map(|nodes| Mesh { edges: 0, nodes, kind: Kind::Random }).to_vec()
    }

    /// A map from edges to nodes; each `salt` gives another.
    pub(crate) fn rows<const A: usize>(&self, salt: u64) -> Vec<[u32; A]> {
        let mut random = SmallRng::seed_from_u64(salt ^ 0x5EED);
        let nodes = self.nodes as u32;
        let mut free: Vec<u32> = (0..nodes).collect();
        let row = |edge: usize| {
            let mut row = [0; A];
            for i in 0..A {
                row[i] = match self.kind {
                    Kind::Random => random_entry(&mut random, nodes, &row[..i]),
                    Kind::Ring => (edge + i) as u32 % nodes,
                    Kind::Skewed => nodes / 2,
                    Kind::Distinct => loop {
                        let node = random.random_range(0..nodes);
                        if !row[..i].contains(&node) {
                            break node;
                        }
                    },
                    Kind::Injective => free.swap_remove(random.random_range(0..free.len())),
                };
            }
            row
        };
        (0..self.edges).map(row).collect()
    }

    /// Declares the two sets.
    pub(crate) fn declare(&self, op: &mut Op2) -> op2::Result<Declared> {
        Ok(Declared { edges: op.decl_set("edges", self.edges)?, nodes: op.decl_set("nodes", self.nodes)? })
    }
}

/// A random entry that often repeats the one before, and is never one of every third node.
fn random_entry(random: &mut SmallRng, nodes: u32, before: &[u32]) -> u32 {
    match before.last() {
        Some(&last) if random.random_ratio(1, 5) => last,
        _ => {
            let node = random.random_range(0..nodes);
            if node % 3 == 2 { node - 1 } else { node }
        }
    }
}
