//! Counts the targets that blocks reach through maps, and the sectors of memory that their rows lie in.

use super::cover::Cover;

/// Rows of neighbours that may share a sector: from 16 bytes down to 2.
const SHARED_BY: [usize; 4] = [2, 4, 8, 16];

/// How many targets blocks reach, each counted once in a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// All blocks together.
    pub(crate) all: u64,
    /// The most of one block.
    pub(crate) most: u32,
    /// Targets that any block reaches.
    pub(crate) different: u64,
    /// Targets that one block alone reaches.
    pub(crate) alone: u64,
    /// The same for groups of 2, 4, 8 and 16 neighbours, of which a block reaches at least one: all blocks together, and different ones.
    groups: [[u64; 2]; SHARED_BY.len()],
}

/// Marks of the targets of a cover, or of groups of them.
struct Marks {
    shift: u32,
    /// The last block that reached each.
    last: Vec<u32>,
    all: u64,
    different: u64,
}

impl Marks {
    fn new(targets: usize, neighbours: usize) -> Self {
        let last = vec![0; targets.div_ceil(neighbours)];
        Marks { shift: neighbours.trailing_zeros(), last, all: 0, different: 0 }
    }

    /// Notes that block `stamp - 1` reaches a target; the last block that reached it before, if it is another one.
    #[inline]
    fn reach(&mut self, target: usize, stamp: u32) -> Option<u32> {
        let last = std::mem::replace(&mut self.last[target >> self.shift], stamp);
        self.all += u64::from(last != stamp);
        self.different += u64::from(last == 0);
        (last != stamp).then_some(last)
    }
}

impl Reach {
    /// Counts the targets of blocks `offsets[b]..offsets[b + 1]` of positions, as [`Staging::new`](super::cover::Staging::new) would list
    /// them. Groups are counted where `rows` lists their size.
    pub(crate) fn of(cover: &Cover<'_>, order: Option<&[u32]>, offsets: &[u32], rows: &[usize]) -> Reach {
        let mut single = Marks::new(cover.targets, 1);
        let mut groups = SHARED_BY.map(|n| rows.contains(&n).then(|| Marks::new(cover.targets, n)));
        let mut several = vec![false; cover.targets];
        let (mut most, mut shared) = (0, 0);
        for (b, block) in offsets.windows(2).enumerate() {
            let stamp = b as u32 + 1;
            let before = single.all;
            for p in block[0] as usize..block[1] as usize {
                cover.visit(super::cover::element(order, p), |_, target| {
                    let Some(last) = single.reach(target, stamp) else { return };
                    shared += u64::from(last != 0 && !std::mem::replace(&mut several[target], true));
                    groups.iter_mut().flatten().for_each(|marks| _ = marks.reach(target, stamp));
                });
            }
            most = most.max(single.all - before);
        }
        Reach {
            all: single.all,
            most: most as u32,
            different: single.different,
            alone: single.different - shared,
            groups: groups.map(|marks| marks.map_or([0, 0], |marks| [marks.all, marks.different])),
        }
    }

    /// Groups of `neighbours` targets, of which a block reaches at least one: all blocks together, and different ones.
    ///
    /// # Panics
    /// They were not counted.
    pub(crate) fn groups(&self, neighbours: usize) -> [f64; 2] {
        let found = match SHARED_BY.iter().position(|&n| n == neighbours) {
            Some(n) => self.groups[n],
            None => [self.all, self.different],
        };
        assert!(self.all == 0 || found[0] > 0, "groups of {neighbours} were not counted");
        found.map(|n| n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cover::Way;
    use super::*;

    #[test]
    fn rows_of_neighbours_share_sectors() {
        // Two blocks of two elements: targets 0, 1, 8 and 1, 2, 9.
        let entries = [0, 1, 0, 8, 1, 2, 9, 9];
        let cover = Cover { targets: 16, ways: vec![Way { entries: &entries, arity: 2, used: 0..2 }] };
        let reach = Reach::of(&cover, None, &[0, 2, 4], &[2, 8]);
        assert_eq!((reach.all, reach.most, reach.different, reach.alone), (6, 3, 5, 4));
        assert_eq!(reach.groups(1), [6.0, 5.0]);
        // Pairs 0, 4 and 0, 1, 4.
        assert_eq!(reach.groups(2), [5.0, 3.0]);
        assert_eq!(reach.groups(8), [4.0, 2.0]);
        assert_eq!(Reach::of(&cover, None, &[0], &[]).groups(4), [0.0, 0.0]);
    }
}
