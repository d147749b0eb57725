//! The graph whose edges join elements that access the same points.

use super::super::graph::transposed;
use super::Rows;
use crate::data::parts::Lists;
use crate::error::reorder::ReorderError;
use metis::Idx;

/// All elements that touch a point are joined with each other. Beyond this number, each is joined only with the
/// elements before and after it: most blocks contain such a point anyway, and joining all would take quadratic time.
const HUB: usize = 64;

/// A graph in the format of METIS: CSR, with a weight for every entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weighted {
    pub(super) offsets: Vec<Idx>,
    pub(super) neighbours: Vec<Idx>,
    pub(super) weights: Vec<Idx>,
}

impl Weighted {
    /// A graph without vertices.
    pub(super) fn new() -> Weighted {
        Weighted { offsets: vec![0], neighbours: Vec::new(), weights: Vec::new() }
    }

    /// The graph of `n` elements: two are joined if they touch a common point through any of the maps. The weight is
    /// the number of such points, counted for each map.
    pub(super) fn of(n: usize, maps: &[Rows]) -> Result<Weighted, ReorderError> {
        let transposed: Vec<Lists> = maps.iter().map(|map| transposed(&map.entries, map.arity, map.targets)).collect();
        let mut graph = Weighted::new();
        // For each other element, its index in the current element's list plus one; at most `first` if it is not in the
        // list.
        let mut place = vec![0_usize; n];
        for e in 0..n as u32 {
            let first = graph.neighbours.len();
            for (map, by_point) in maps.iter().zip(&transposed) {
                let row = map.row(e as usize);
                for (k, &t) in row.iter().enumerate() {
                    if !row[..k].contains(&t) {
                        let others = joined(by_point.list(t as usize), e);
                        others.iter().filter(|&&w| w != e).for_each(|&w| graph.join(&mut place[w as usize], first, w));
                    }
                }
            }
            graph.close()?;
        }
        Ok(graph)
    }

    /// Joins the current vertex with `w`, or adds to the weight if it is joined already.
    #[inline]
    fn join(&mut self, place: &mut usize, first: usize, w: u32) {
        if *place > first {
            self.weights[*place - 1] += 1;
        } else {
            self.neighbours.push(w as Idx);
            self.weights.push(1);
            *place = self.neighbours.len();
        }
    }

    /// Ends the neighbours of the current vertex.
    pub(super) fn close(&mut self) -> Result<(), ReorderError> {
        let (count, most) = (self.neighbours.len(), Idx::MAX as usize);
        let end =
            Idx::try_from(count).map_err(|_| ReorderError::TooLarge { what: "the graph for METIS", count, most })?;
        self.offsets.push(end);
        Ok(())
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbours of `v` with the weights of the edges to them.
    #[inline]
    pub(super) fn of_vertex(&self, v: usize) -> impl Iterator<Item = (usize, Idx)> {
        let ends = self.offsets[v] as usize..self.offsets[v + 1] as usize;
        self.neighbours[ends.clone()].iter().map(|&w| w as usize).zip(self.weights[ends].iter().copied())
    }
}

/// The rows of a point that `e`, one of them, is joined with; `e` itself may be among them.
fn joined(rows: &[u32], e: u32) -> &[u32] {
    if rows.len() <= HUB {
        return rows;
    }
    let place = rows.partition_point(|&row| row < e);
    &rows[place.saturating_sub(1)..(place + 2).min(rows.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn a_map(n: usize) -> impl Strategy<Value = Rows> {
        (1_usize..20, 0_usize..4).prop_flat_map(move |(targets, arity)| {
            let entries = prop::collection::vec(0..targets as u32, n * arity);
            entries.prop_map(move |entries| Rows { to: 1, arity, targets, entries })
        })
    }

    proptest! {
        #[test]
        fn weights_are_common_points(
            (n, maps) in (0_usize..30).prop_flat_map(|n| (Just(n), prop::collection::vec(a_map(n), 0..3)))
        ) {
            let graph = Weighted::of(n, &maps).expect("small");
            let points = |e: usize, map: &Rows| map.row(e).iter().copied().collect::<BTreeSet<u32>>();
            for e in 0..n {
                let common = |w: usize| maps.iter().map(|m| points(e, m).intersection(&points(w, m)).count()).sum();
                let weights = (0..n).filter(|&w| w != e).map(|w| (w, common(w)));
                let expected: BTreeMap<usize, usize> = weights.filter(|&(_, weight)| weight > 0).collect();
                let found: BTreeMap<usize, usize> = graph.of_vertex(e).map(|(w, weight)| (w, weight as usize)).collect();
                prop_assert_eq!(found.len(), graph.of_vertex(e).count(), "no neighbour twice");
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_point_of_many_makes_a_chain() {
        let n = HUB + 1;
        let graph = Weighted::of(n, &[Rows { to: 1, arity: 1, targets: 1, entries: vec![0; n] }]).expect("small");
        assert_eq!(graph.neighbours.len(), 2 * (n - 1));
        assert!((1..n).all(|e| graph.of_vertex(e).any(|(w, _)| w == e - 1)));
    }
}
