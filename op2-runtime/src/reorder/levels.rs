//! Level structures: the vertices of a component by their distance from a root.

use super::graph::Connected;
use crate::data::parts::{for_each, part_len};
use std::ops::Range;

/// The level of a vertex that is not reached or not placed yet.
pub(super) const NONE: u32 = u32::MAX;

/// End points tried for each root, one for each degree. The paper tries the whole last level. On a large mesh this
/// would walk the mesh from each of thousands of vertices; vertices of equal degree rarely differ.
const TRIALS: usize = 5;

/// The rooted level structure of one component.
///
/// The arrays cover the whole graph, so that a mesh of many small components does not allocate for each. Entries
/// outside of the last walked component are stale.
pub(super) struct Levels {
    pub(super) root: u32,
    /// Distance from the root.
    pub(super) level: Vec<u32>,
    /// The last level: the farthest distance.
    pub(super) depth: u32,
    /// Vertices of the fullest level.
    pub(super) width: u32,
    queue: Vec<u32>,
    /// Where the last level starts in the queue.
    last: usize,
}

/// Two vertices far apart, with the level structures rooted in them.
pub(super) struct Diameter {
    pub(super) start: Levels,
    pub(super) end: Levels,
    /// As many as walk at a time.
    trials: Vec<Levels>,
}

impl Levels {
    fn new(vertices: usize) -> Levels {
        Levels { root: 0, level: vec![NONE; vertices], depth: 0, width: 0, queue: Vec::new(), last: 0 }
    }

    /// Walks the component `range` from `root`.
    fn walk(&mut self, connected: &Connected, range: Range<u32>, root: u32) {
        self.level[range.start as usize..range.end as usize].fill(NONE);
        self.queue.clear();
        self.queue.push(root);
        self.level[root as usize] = 0;
        (self.root, self.depth, self.width, self.last) = (root, 0, 1, 0);
        let mut head = 0;
        loop {
            let level_end = self.queue.len();
            for place in head..level_end {
                connected.graph.look_ahead(&self.queue, place, &self.level);
                for &w in connected.graph.of(self.queue[place]) {
                    if self.level[w as usize] == NONE {
                        self.level[w as usize] = self.depth + 1;
                        self.queue.push(w);
                    }
                }
            }
            head = level_end;
            if self.queue.len() == level_end {
                return;
            }
            self.depth += 1;
            self.last = level_end;
            self.width = self.width.max((self.queue.len() - level_end) as u32);
        }
    }

    /// For each degree in the last level, the vertex with the smallest old number; by ascending degree.
    fn end_points(&self, connected: &Connected) -> Vec<u32> {
        let mut ends = self.queue[self.last..].to_vec();
        connected.sort(&mut ends);
        ends.dedup_by_key(|v| connected.graph.degree(*v));
        ends.truncate(TRIALS);
        ends
    }
}

impl Diameter {
    pub(super) fn new(vertices: usize) -> Diameter {
        Diameter { start: Levels::new(vertices), end: Levels::new(vertices), trials: vec![Levels::new(vertices)] }
    }

    /// Finds the ends of a pseudo-diameter of the component `range` (Gibbs, Poole, Stockmeyer, algorithm I). Starting
    /// at a vertex of least degree, it moves to a farthest vertex as long as this one reaches farther. The second end
    /// is then the farthest vertex with the narrowest level structure.
    pub(super) fn find(&mut self, connected: &Connected, range: Range<u32>) {
        let first = range.clone().min_by_key(|&v| connected.rank(v)).expect("a component has a vertex");
        self.start.walk(connected, range.clone(), first);
        while self.farther(connected, range.clone()) {}
    }

    /// Walks from the last level of the start. Returns true at the first walk that is deeper, which becomes the start;
    /// otherwise the narrowest becomes the end.
    fn farther(&mut self, connected: &Connected, range: Range<u32>) -> bool {
        let mut narrowest = NONE;
        let at_a_time = range.len().div_ceil(part_len(range.len()));
        for ends in self.start.end_points(connected).chunks(at_a_time) {
            self.trials.resize_with(ends.len().max(self.trials.len()), || Levels::new(connected.graph.len()));
            for_each(&mut self.trials[..ends.len()], 1, |i, trial| trial[0].walk(connected, range.clone(), ends[i]));
            for trial in &mut self.trials[..ends.len()] {
                if trial.depth > self.start.depth {
                    std::mem::swap(&mut self.start, trial);
                    return true;
                }
                if trial.width < narrowest {
                    narrowest = trial.width;
                    std::mem::swap(&mut self.end, trial);
                }
            }
        }
        false
    }
}
