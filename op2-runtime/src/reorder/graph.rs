//! Graphs in CSR form, built from maps.

use super::shape::Link;
use crate::error::reorder::ReorderError;

/// An undirected graph: the neighbours of vertex `v` are `neighbours[offsets[v]..offsets[v + 1]]`, without `v`
/// itself and without repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) offsets: Vec<u32>,
    pub(super) neighbours: Vec<u32>,
}

/// For every target of a map, the rows that mention it, ascending and without repeats.
pub(super) struct Transposed {
    offsets: Vec<u32>,
    rows: Vec<u32>,
}

/// The components of a graph one after the other, each numbered breadth first from its smallest old number.
///
/// On a mesh that is numbered at random, nearly every step along an edge misses the caches. In this numbering later
/// walks stay in them.
pub(super) struct Connected {
    /// Neighbours are sorted by degree, then old number.
    pub(super) graph: Graph,
    /// The old number of every vertex.
    pub(super) old: Vec<u32>,
    /// Component `c` is the vertices `starts[c]..starts[c + 1]`; components are sorted by their smallest old number.
    pub(super) starts: Vec<u32>,
}

impl Transposed {
    pub(super) fn of(entries: &[u32], arity: usize, targets: usize) -> Transposed {
        let mut offsets = vec![0_u32; targets + 1];
        visit_distinct(entries, arity, |_, t| offsets[t as usize + 1] += 1);
        for t in 0..targets {
            offsets[t + 1] += offsets[t];
        }
        let mut next = offsets[..targets].to_vec();
        let mut rows = vec![0; offsets[targets] as usize];
        visit_distinct(entries, arity, |row, t| {
            let place = &mut next[t as usize];
            rows[*place as usize] = row;
            *place += 1;
        });
        Transposed { offsets, rows }
    }

    /// The rows that mention `target`.
    #[inline]
    pub(super) fn rows_of(&self, target: usize) -> &[u32] {
        &self.rows[self.offsets[target] as usize..self.offsets[target + 1] as usize]
    }
}

/// Calls `f` with row and target for every distinct target of every row.
fn visit_distinct(entries: &[u32], arity: usize, mut f: impl FnMut(u32, u32)) {
    for (e, row) in (0_u32..).zip(entries.chunks_exact(arity.max(1))) {
        for (k, &t) in row.iter().enumerate() {
            if !row[..k].contains(&t) {
                f(e, t);
            }
        }
    }
}

impl Graph {
    /// The graph of a map's targets: the union of the cliques that its rows span.
    pub(super) fn of_cliques(link: &Link<'_>, points: usize) -> Result<Graph, ReorderError> {
        let by_point = Transposed::of(link.entries, link.arity, points);
        let mut seen = vec![u32::MAX; points];
        let mut graph = Graph { offsets: Vec::with_capacity(points + 1), neighbours: Vec::new() };
        graph.neighbours.reserve(link.entries.len() * link.arity.saturating_sub(1).min(4));
        graph.offsets.push(0);
        for p in 0..points as u32 {
            seen[p as usize] = p;
            for &row in by_point.rows_of(p as usize) {
                for &q in link.row(row as usize) {
                    if seen[q as usize] != p {
                        seen[q as usize] = p;
                        graph.neighbours.push(q);
                    }
                }
            }
            graph.close()?;
        }
        Ok(graph)
    }

    /// Ends the neighbours of the current vertex.
    pub(super) fn close(&mut self) -> Result<(), ReorderError> {
        let (count, most) = (self.neighbours.len(), u32::MAX as usize);
        if count > most {
            return Err(ReorderError::TooLarge { what: "the graph of the mesh", count, most });
        }
        self.offsets.push(count as u32);
        Ok(())
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbours of `v`.
    #[inline]
    pub(super) fn of(&self, v: u32) -> &[u32] {
        &self.neighbours[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// Number of neighbours of `v`.
    #[inline]
    pub(super) fn degree(&self, v: u32) -> u32 {
        self.offsets[v as usize + 1] - self.offsets[v as usize]
    }
}

impl Connected {
    pub(super) fn of(graph: &Graph) -> Connected {
        let (old, new, starts) = breadth_first(graph);
        let mut renumbered = Graph { offsets: vec![0], neighbours: Vec::with_capacity(graph.neighbours.len()) };
        renumbered.offsets.reserve(graph.len());
        for &v in &old {
            renumbered.neighbours.extend(graph.of(v).iter().map(|&w| new[w as usize]));
            renumbered.offsets.push(renumbered.neighbours.len() as u32);
        }
        let Graph { offsets, neighbours } = &mut renumbered;
        for ends in offsets.windows(2) {
            let degree = |w: u32| offsets[w as usize + 1] - offsets[w as usize];
            let list = &mut neighbours[ends[0] as usize..ends[1] as usize];
            list.sort_unstable_by_key(|&w| (degree(w), old[w as usize]));
        }
        Connected { graph: renumbered, old, starts }
    }

    /// The key that breaks ties between vertices: degree, then old number.
    #[inline]
    pub(super) fn rank(&self, v: u32) -> (u32, u32) {
        (self.graph.degree(v), self.old[v as usize])
    }
}

/// Vertices in breadth-first order, their positions in it, and the offsets of components.
fn breadth_first(graph: &Graph) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let n = graph.len();
    let (mut order, mut place, mut starts) = (Vec::with_capacity(n), vec![u32::MAX; n], Vec::new());
    for seed in 0..n as u32 {
        if place[seed as usize] != u32::MAX {
            continue;
        }
        let mut head = order.len();
        starts.push(head as u32);
        place[seed as usize] = head as u32;
        order.push(seed);
        while head < order.len() {
            for &w in graph.of(order[head]) {
                if place[w as usize] == u32::MAX {
                    place[w as usize] = order.len() as u32;
                    order.push(w);
                }
            }
            head += 1;
        }
    }
    starts.push(n as u32);
    (order, place, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn graphs_are_the_union_of_cliques(
            (points, arity, entries) in (1_usize..20, 0_usize..5).prop_flat_map(|(points, arity)| {
                let row = prop::collection::vec(0..points as u32, arity);
                let rows = prop::collection::vec(row, 0..20).prop_map(|rows| rows.concat());
                (Just(points), Just(arity), rows)
            })
        ) {
            let link = Link { from: 0, to: 1, arity, entries: &entries };
            let graph = Graph::of_cliques(&link, points).expect("small");
            let mut expected = BTreeSet::new();
            for row in entries.chunks(arity.max(1)) {
                expected.extend(row.iter().flat_map(|&a| row.iter().map(move |&b| (a, b))).filter(|(a, b)| a != b));
            }
            let pairs = |v: u32| graph.of(v).iter().map(move |&w| (v, w));
            let found: Vec<(u32, u32)> = (0..points as u32).flat_map(pairs).collect();
            prop_assert_eq!(found.len(), expected.len(), "no neighbour twice");
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected.clone());

            let connected = Connected::of(&graph);
            let renamed: BTreeSet<(u32, u32)> = (0..points as u32)
                .flat_map(|v| connected.graph.of(v).iter().map(move |&w| (v, w)))
                .map(|(v, w)| (connected.old[v as usize], connected.old[w as usize]))
                .collect();
            prop_assert_eq!(renamed, expected);
            for ends in connected.starts.windows(2) {
                let inside = |v: &u32| (ends[0]..ends[1]).contains(v);
                prop_assert!((ends[0]..ends[1]).all(|v| connected.graph.of(v).iter().all(&inside)));
            }
        }
    }
}
