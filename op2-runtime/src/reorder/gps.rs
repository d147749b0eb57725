//! The numbering of Gibbs, Poole and Stockmeyer: An algorithm for reducing the bandwidth and profile of a sparse
//! matrix, SIAM J. Numer. Anal. 13 (1976).

use super::graph::Connected;
use super::levels::{Diameter, NONE};
use std::ops::Range;

/// The vertices in the order of their new numbers, component after component.
pub(super) fn order(connected: &Connected) -> Vec<u32> {
    let n = connected.graph.len();
    let mut diameter = Diameter::new(n);
    let mut work = Work { level: vec![NONE; n], ..Work::default() };
    let mut order = Vec::with_capacity(n);
    for ends in connected.starts.windows(2) {
        let range = ends[0]..ends[1];
        let first = order.len();
        diameter.find(connected, range.clone());
        let second_won = work.combine(connected, &diameter, range.clone());
        let turned = work.start_at_lower_degree(connected, &diameter, range.clone());
        work.number(connected, range, &mut order);
        // Algorithm III, last step.
        if second_won != turned {
            order[first..].reverse();
        }
    }
    order
}

/// The combined level structure of a component, and scratch space for it.
#[derive(Default)]
struct Work {
    /// Level of every vertex; `NONE` until it gets one, and again once it is numbered.
    level: Vec<u32>,
    /// Vertices of every level.
    count: Vec<u32>,
    /// For each level, the vertices that a component of free vertices would add to it, by the first and by the second
    /// structure.
    added: [Vec<u32>; 2],
    /// Free vertices, component after component.
    free: Vec<u32>,
    /// Ranges of `free`.
    components: Vec<Range<usize>>,
    /// Vertices by level.
    by_level: Vec<u32>,
    /// The vertex that is numbered first.
    start: u32,
}

impl Work {
    /// Algorithm II: gives every vertex a level such that neighbours are at most one level apart and levels stay
    /// narrow. Vertices on which both structures agree keep their level. Each connected component of the others, the
    /// largest first, takes its levels from the structure that makes the smaller maximum. Returns whether the second
    /// structure won for the largest.
    fn combine(&mut self, connected: &Connected, diameter: &Diameter, range: Range<u32>) -> bool {
        let depth = diameter.start.depth;
        let places = |v: u32| (diameter.start.level[v as usize], depth - diameter.end.level[v as usize]);
        let [first, second] = &mut self.added;
        for array in [&mut self.count, first, second] {
            array.clear();
            array.resize(depth as usize + 1, 0);
        }
        for v in range.clone() {
            let (first, second) = places(v);
            self.level[v as usize] = if first == second { first } else { NONE };
            if first == second {
                self.count[first as usize] += 1;
            }
        }
        self.find_free(connected, range);
        let components = std::mem::take(&mut self.components);
        let mut second_won = false;
        for (i, component) in components.iter().enumerate() {
            let second = self.second_is_better(component, &places, diameter);
            second_won |= i == 0 && second;
            for place in component.clone() {
                let v = self.free[place];
                let (one, other) = places(v);
                let level = if second { other } else { one };
                self.level[v as usize] = level;
                self.count[level as usize] += 1;
            }
        }
        self.components = components;
        second_won
    }

    /// Collects the connected components of the vertices without a level, the largest first. Their levels stay `NONE`.
    fn find_free(&mut self, connected: &Connected, range: Range<u32>) {
        self.free.clear();
        self.components.clear();
        for seed in range {
            if self.level[seed as usize] != NONE {
                continue;
            }
            let first = self.free.len();
            let mut head = first;
            // Any other value marks a vertex as found; it is reset below.
            self.level[seed as usize] = 0;
            self.free.push(seed);
            while head < self.free.len() {
                for &w in connected.graph.of(self.free[head]) {
                    if self.level[w as usize] == NONE {
                        self.level[w as usize] = 0;
                        self.free.push(w);
                    }
                }
                head += 1;
            }
            self.components.push(first..head);
        }
        for &v in &self.free {
            self.level[v as usize] = NONE;
        }
        self.components.sort_by_key(|component| std::cmp::Reverse(component.len()));
    }

    /// Whether the second structure leaves narrower levels than the first, among those that `component` adds to; in a
    /// tie, whether the second structure is narrower altogether.
    fn second_is_better(
        &mut self,
        component: &Range<usize>,
        places: &impl Fn(u32) -> (u32, u32),
        diameter: &Diameter,
    ) -> bool {
        let [high, low] = &mut self.added;
        let (mut fullest_high, mut fullest_low) = (0, 0);
        for &v in &self.free[component.clone()] {
            let (one, other) = places(v);
            let (one, other) = (one as usize, other as usize);
            high[one] += 1;
            low[other] += 1;
            fullest_high = fullest_high.max(self.count[one] + high[one]);
            fullest_low = fullest_low.max(self.count[other] + low[other]);
        }
        for &v in &self.free[component.clone()] {
            let (one, other) = places(v);
            high[one as usize] = 0;
            low[other as usize] = 0;
        }
        (fullest_low, diameter.end.width) < (fullest_high, diameter.start.width)
    }

    /// Algorithm III, step A: numbering starts at the end of lower degree. If this is the second end, reverses the
    /// levels. Returns whether it did.
    fn start_at_lower_degree(&mut self, connected: &Connected, diameter: &Diameter, range: Range<u32>) -> bool {
        let (start, end) = (diameter.start.root, diameter.end.root);
        let turned = connected.graph.degree(end) < connected.graph.degree(start);
        self.start = if turned { end } else { start };
        if turned {
            for level in &mut self.level[range.start as usize..range.end as usize] {
                *level = diameter.start.depth - *level;
            }
            self.count.reverse();
        }
        turned
    }

    /// Algorithm III, steps B to D: numbers level by level. In each level come first the neighbours of the level
    /// before, in its order, then the neighbours of those, then the rest, starting again from the vertex of least
    /// degree.
    fn number(&mut self, connected: &Connected, range: Range<u32>, order: &mut Vec<u32>) {
        self.sort_by_level(range);
        let (mut before, mut bucket) = (order.len()..order.len(), 0);
        for level in 0..self.count.len() as u32 {
            let first = order.len();
            let size = self.count[level as usize] as usize;
            if level == 0 {
                self.level[self.start as usize] = NONE;
                order.push(self.start);
            }
            for place in before {
                self.take_neighbours(connected, order[place], level, order);
            }
            let (mut head, mut rest) = (first, None);
            while head < first + size {
                if head == order.len() {
                    let place = rest.get_or_insert_with(|| self.sort_level(connected, bucket..bucket + size));
                    let v = self.next_left(place);
                    order.push(v);
                }
                self.take_neighbours(connected, order[head], level, order);
                head += 1;
            }
            before = first..order.len();
            bucket += size;
        }
    }

    /// Lists the vertices of the component by level.
    fn sort_by_level(&mut self, range: Range<u32>) {
        let next = &mut self.added[0];
        next[0] = 0;
        for level in 1..self.count.len() {
            next[level] = next[level - 1] + self.count[level - 1];
        }
        self.by_level.clear();
        self.by_level.resize(range.len(), 0);
        for v in range {
            let place = &mut next[self.level[v as usize] as usize];
            self.by_level[*place as usize] = v;
            *place += 1;
        }
    }

    /// Sorts the vertices of a level by degree, then old number, and returns where they start.
    fn sort_level(&mut self, connected: &Connected, bucket: Range<usize>) -> usize {
        connected.sort(&mut self.by_level[bucket.clone()]);
        bucket.start
    }

    /// Returns the first vertex from `place` on that has no number yet.
    fn next_left(&mut self, place: &mut usize) -> u32 {
        while self.level[self.by_level[*place] as usize] == NONE {
            *place += 1;
        }
        let v = self.by_level[*place];
        self.level[v as usize] = NONE;
        v
    }

    /// Numbers the neighbours of `v` in `level` that have no number yet.
    #[inline]
    fn take_neighbours(&mut self, connected: &Connected, v: u32, level: u32, order: &mut Vec<u32>) {
        for &w in connected.graph.of(v) {
            if self.level[w as usize] == level {
                self.level[w as usize] = NONE;
                order.push(w);
            }
        }
    }
}
