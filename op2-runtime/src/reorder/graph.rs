//! Graphs in CSR form, built from maps.

use super::shape::Link;
use crate::data::parts::{Lists, Pairs, for_each_list, part_len};
use crate::data::prefetch::fetch_element;
use crate::data::tasks;
use crate::error::reorder::ReorderError;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Vertices between the steps of a prefetch.
const AHEAD: usize = 6;
/// The most candidates whose repeats are found by comparing each with all before it.
const SHORT: usize = 64;

/// An undirected graph: the neighbours of vertex `v` are `neighbours[offsets[v]..offsets[v + 1]]`, without `v`
/// itself and without repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) offsets: Vec<u32>,
    pub(super) neighbours: Vec<u32>,
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

/// For every target of a map, the rows that mention it, ascending and without repeats.
pub(super) fn transposed(entries: &[u32], arity: usize, targets: usize) -> Lists {
    Lists::of(targets, &Mentions { entries, arity })
}

/// The distinct targets of every row, each with its row.
struct Mentions<'a> {
    entries: &'a [u32],
    arity: usize,
}

impl Pairs for Mentions<'_> {
    fn visit(&self, mut f: impl FnMut(u32, u32)) {
        for (e, row) in (0_u32..).zip(self.entries.chunks_exact(self.arity.max(1))) {
            for (k, &t) in row.iter().enumerate() {
                if !row[..k].contains(&t) {
                    f(t, e);
                }
            }
        }
    }
}

/// Both ends of every row, each with the other end.
struct Ends<'a>(&'a [u32]);

impl Pairs for Ends<'_> {
    fn visit(&self, mut f: impl FnMut(u32, u32)) {
        for &[a, b] in self.0.as_chunks().0 {
            f(a, b);
            f(b, a);
        }
    }
}

impl Graph {
    /// The graph of a map's targets: the union of the cliques that its rows span.
    pub(super) fn of_cliques(link: &Link<'_>, points: usize) -> Result<Graph, ReorderError> {
        if let Some(graph) = Graph::of_pairs(link, points) {
            return Ok(graph);
        }
        let rows = transposed(link.entries, link.arity, points);
        let parts = parts_of(points);
        let pieces = tasks::map(parts.len(), |n| Graph::of_part(link, &rows, parts[n].clone()));
        Graph::joined(pieces.into_iter().collect::<Result<_, _>>()?)
    }

    /// The same for a map with two targets in each row, if no two rows join the same ones and none has one target only.
    fn of_pairs(link: &Link<'_>, points: usize) -> Option<Graph> {
        if link.arity != 2 || link.entries.len() > u32::MAX as usize {
            return None;
        }
        let ends = Lists::of(points, &Ends(link.entries));
        let has_repeats = |p: usize| {
            let list = ends.list(p);
            list.len() > SHORT || list.iter().enumerate().any(|(k, &q)| q as usize == p || list[..k].contains(&q))
        };
        let is_simple = AtomicBool::new(true);
        tasks::for_each_of(parts_of(points), |_, mut part| {
            // Each part ends where any of them has found a repeat.
            if part.any(|p| has_repeats(p) || !is_simple.load(Ordering::Relaxed)) {
                is_simple.store(false, Ordering::Relaxed);
            }
        });
        is_simple.into_inner().then_some(Graph { offsets: ends.offsets, neighbours: ends.values })
    }

    /// The neighbours of some of the targets. `rows` are those that mention each target.
    fn of_part(link: &Link<'_>, rows: &Lists, part: Range<usize>) -> Result<Graph, ReorderError> {
        let mut graph = Graph { offsets: Vec::with_capacity(part.len() + 1), neighbours: Vec::new() };
        let mentions = (rows.offsets[part.end] - rows.offsets[part.start]) as usize;
        graph.neighbours.reserve(mentions * link.arity.saturating_sub(1).min(4));
        graph.offsets.push(0);
        // The last target that has found each target, for long lists only.
        let mut seen = Vec::new();
        for p in part {
            let (mine, first) = (rows.list(p), graph.neighbours.len());
            let is_short = mine.len() * link.arity <= SHORT;
            if !is_short && seen.is_empty() {
                seen.resize(rows.offsets.len() - 1, u32::MAX);
            }
            for &q in mine.iter().flat_map(|&row| link.row(row as usize)) {
                let is_known = match is_short {
                    true => graph.neighbours[first..].contains(&q),
                    false => std::mem::replace(&mut seen[q as usize], p as u32) == p as u32,
                };
                if !is_known && q != p as u32 {
                    graph.neighbours.push(q);
                }
            }
            graph.close()?;
        }
        Ok(graph)
    }

    /// The graph of all vertices from those of consecutive parts.
    fn joined(mut pieces: Vec<Graph>) -> Result<Graph, ReorderError> {
        if pieces.len() == 1 {
            return Ok(pieces.remove(0));
        }
        let neighbours: Vec<&[u32]> = pieces.iter().map(|piece| &piece.neighbours[..]).collect();
        let mut graph = Graph { offsets: vec![0], neighbours: neighbours.concat() };
        // The last offset is the largest.
        graph.end()?;
        for piece in &pieces {
            let before = graph.offsets[graph.offsets.len() - 1];
            graph.offsets.extend(piece.offsets[1..].iter().map(|end| before + end));
        }
        Ok(graph)
    }

    /// Ends the neighbours of the current vertex.
    pub(super) fn close(&mut self) -> Result<(), ReorderError> {
        self.offsets.push(self.end()?);
        Ok(())
    }

    /// The number of neighbours of all vertices.
    fn end(&self) -> Result<u32, ReorderError> {
        let (count, most) = (self.neighbours.len(), u32::MAX as usize);
        u32::try_from(count).map_err(|_| ReorderError::TooLarge { what: "the graph of the mesh", count, most })
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

    /// Prefetches what a walk will ask for at the vertices behind `queue[head]`: their lists, and the marks of their neighbours. On
    /// a mesh that is numbered at random each of them would miss the caches.
    #[inline]
    pub(super) fn look_ahead(&self, queue: &[u32], head: usize, marks: &[u32]) {
        if let Some(&v) = queue.get(head + 3 * AHEAD) {
            fetch_element(&self.offsets, v as usize);
        }
        if let Some(&v) = queue.get(head + 2 * AHEAD) {
            fetch_element(&self.neighbours, self.offsets[v as usize] as usize);
        }
        if let Some(&v) = queue.get(head + AHEAD) {
            self.of(v).iter().take(SHORT).for_each(|&w| fetch_element(marks, w as usize));
        }
    }

    /// Number of neighbours of `v`.
    #[inline]
    pub(super) fn degree(&self, v: u32) -> u32 {
        self.offsets[v as usize + 1] - self.offsets[v as usize]
    }
}

impl Connected {
    pub(super) fn of(graph: &Graph) -> Connected {
        let mut connected = breadth_first(graph);
        let Connected { graph: Graph { offsets, neighbours }, old, .. } = &mut connected;
        for_each_list(neighbours, offsets, |_, list| sort_by_rank(list, offsets, old));
        connected
    }

    /// Sorts vertices by [`Connected::rank`].
    pub(super) fn sort(&self, vertices: &mut [u32]) {
        sort_by_rank(vertices, &self.graph.offsets, &self.old);
    }

    /// The key that breaks ties between vertices: degree, then old number.
    #[inline]
    pub(super) fn rank(&self, v: u32) -> (u32, u32) {
        (self.graph.degree(v), self.old[v as usize])
    }
}

/// Sorts vertices by degree, then old number. One function for all who do: every sort by keys of its own is compiled anew.
fn sort_by_rank(vertices: &mut [u32], offsets: &[u32], old: &[u32]) {
    let degree = |v: u32| offsets[v as usize + 1] - offsets[v as usize];
    vertices.sort_unstable_by_key(|&v| (degree(v), old[v as usize]));
}

/// The components, with the neighbours of a vertex in the order of the old graph.
fn breadth_first(graph: &Graph) -> Connected {
    let n = graph.len();
    // The new number of every vertex, once it is found.
    let mut place = vec![u32::MAX; n];
    let (mut old, mut starts) = (Vec::with_capacity(n), Vec::new());
    let mut found =
        Graph { offsets: Vec::with_capacity(n + 1), neighbours: Vec::with_capacity(graph.neighbours.len()) };
    found.offsets.push(0);
    for seed in 0..n as u32 {
        if place[seed as usize] != u32::MAX {
            continue;
        }
        let mut head = old.len();
        starts.push(head as u32);
        place[seed as usize] = head as u32;
        old.push(seed);
        while head < old.len() {
            graph.look_ahead(&old, head, &place);
            for &w in graph.of(old[head]) {
                if place[w as usize] == u32::MAX {
                    place[w as usize] = old.len() as u32;
                    old.push(w);
                }
                found.neighbours.push(place[w as usize]);
            }
            found.offsets.push(found.neighbours.len() as u32);
            head += 1;
        }
    }
    starts.push(n as u32);
    Connected { graph: found, old, starts }
}

/// Divides this number of points into parts, one for each task.
fn parts_of(points: usize) -> Vec<Range<usize>> {
    let len = part_len(points);
    (0..points).step_by(len).map(|first| first..(first + len).min(points)).collect()
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
