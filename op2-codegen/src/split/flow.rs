//! Minimum cuts of a directed graph, by augmenting along shortest paths (Edmonds & Karp 1972, with the level graphs
//! of Dinic 1970).

use std::collections::VecDeque;

/// The capacity of an edge that no cut may contain.
pub(super) const NEVER: u64 = u64::MAX / 4;

/// A directed graph with capacities.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// For each node its edges, by number; edge `e ^ 1` is the way back of edge `e`.
    edges_of: Vec<Vec<usize>>,
    to: Vec<usize>,
    left: Vec<u64>,
}

impl Network {
    /// Nodes without edges.
    pub(super) fn new(nodes: usize) -> Self {
        Network { edges_of: vec![Vec::new(); nodes], to: Vec::new(), left: Vec::new() }
    }

    /// An edge that costs `capacity` to cut.
    pub(super) fn edge(&mut self, from: usize, to: usize, capacity: u64) {
        for (from, to, capacity) in [(from, to, capacity), (to, from, 0)] {
            self.edges_of[from].push(self.to.len());
            self.to.push(to);
            self.left.push(capacity);
        }
    }

    /// The cheapest cut between two nodes: which nodes stay on the side of `source`, as few as possible. `None` if every
    /// cut contains an edge that none may contain.
    pub(super) fn cut(mut self, source: usize, sink: usize) -> Option<Vec<bool>> {
        let mut flow = 0;
        while let Some(levels) = self.levels(source, sink) {
            let mut next = vec![0; self.edges_of.len()];
            loop {
                let pushed = self.push(source, sink, NEVER, &levels, &mut next);
                flow += pushed;
                if flow >= NEVER {
                    return None;
                }
                if pushed == 0 {
                    break;
                }
            }
        }
        let levels = self.reached(source);
        Some(levels.into_iter().map(|level| level.is_some()).collect())
    }

    /// The distance of every node from the source, if the sink can be reached.
    fn levels(&self, source: usize, sink: usize) -> Option<Vec<Option<usize>>> {
        let levels = self.reached(source);
        levels[sink].is_some().then_some(levels)
    }

    fn reached(&self, source: usize) -> Vec<Option<usize>> {
        let mut levels = vec![None; self.edges_of.len()];
        levels[source] = Some(0);
        let mut open = VecDeque::from([source]);
        while let Some(node) = open.pop_front() {
            for &e in &self.edges_of[node] {
                if self.left[e] > 0 && levels[self.to[e]].is_none() {
                    levels[self.to[e]] = levels[node].map(|level| level + 1);
                    open.push_back(self.to[e]);
                }
            }
        }
        levels
    }

    /// Sends flow along one path of the level graph; returns how much.
    fn push(&mut self, node: usize, sink: usize, most: u64, levels: &[Option<usize>], next: &mut [usize]) -> u64 {
        if node == sink {
            return most;
        }
        while let Some(&e) = self.edges_of[node].get(next[node]) {
            let to = self.to[e];
            if self.left[e] > 0 && levels[to] == levels[node].map(|level| level + 1) {
                let pushed = self.push(to, sink, most.min(self.left[e]), levels, next);
                if pushed > 0 {
                    self.left[e] -= pushed;
                    self.left[e ^ 1] += pushed;
                    return pushed;
                }
            }
            next[node] += 1;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(nodes: usize, edges: &[(usize, usize, u64)]) -> Network {
        let mut network = Network::new(nodes);
        edges.iter().for_each(|&(from, to, capacity)| network.edge(from, to, capacity));
        network
    }

    /// The cost of the edges from one side to the other.
    fn cost(edges: &[(usize, usize, u64)], side: &[bool]) -> u64 {
        edges.iter().filter(|e| side[e.0] && !side[e.1]).map(|e| e.2).sum()
    }

    #[test]
    fn the_narrowest_place_is_cut() {
        let edges = [(0, 1, 9), (1, 2, 3), (2, 3, 9), (0, 4, 2), (4, 3, 5)];
        let side = network(5, &edges).cut(0, 3).unwrap();
        assert_eq!(side, [true, true, false, false, false]);
        assert_eq!(cost(&edges, &side), 5);
    }

    #[test]
    fn what_may_not_be_cut_is_not() {
        assert_eq!(network(3, &[(0, 1, NEVER), (1, 2, NEVER)]).cut(0, 2), None);
        assert_eq!(network(3, &[(0, 1, NEVER), (1, 2, 7)]).cut(0, 2), Some(vec![true, true, false]));
        assert_eq!(network(2, &[]).cut(0, 1), Some(vec![true, false]));
    }

    /// Every cut of small random graphs, one after the other.
    #[test]
    fn no_cut_is_cheaper() {
        let mut state = 7_u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..300 {
            let nodes = 3 + random(6) as usize;
            let count = random(20);
            let mut node = || random(nodes as u64) as usize;
            let ends: Vec<(usize, usize)> = (0..count).map(|_| (node(), node())).collect();
            let edges: Vec<_> = ends.into_iter().map(|(from, to)| (from, to, random(10))).collect();
            let side = network(nodes, &edges).cut(0, 1).unwrap();
            assert!(side[0] && !side[1]);
            let sides = (0..1_u32 << nodes).filter(|s| s & 3 == 1).map(|s| (0..nodes).map(move |n| s >> n & 1 == 1));
            let least = sides.map(|side| cost(&edges, &side.collect::<Vec<_>>())).min().unwrap();
            assert_eq!(cost(&edges, &side), least, "{edges:?}");
        }
    }
}
