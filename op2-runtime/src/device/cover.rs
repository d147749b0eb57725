//! Targets that a loop reaches through maps, as a device needs them: the targets that each block stages, and contributions
//! sorted by target.

use crate::inspect::MISSING;
use std::ops::Range;

/// All ways through maps from an element to the rows of one dat.
///
/// The targets of an element are numbered: the used entries of all ways, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Cover<'a> {
    /// Elements of the set that the ways lead to.
    pub(crate) targets: usize,
    pub(crate) ways: Vec<Way<'a>>,
}

/// Consecutive entries of a map.
#[derive(Debug, Clone)]
pub(crate) struct Way<'a> {
    /// All entries of the map, row by row.
    pub(crate) entries: &'a [u32],
    pub(crate) arity: usize,
    pub(crate) used: Range<usize>,
}

/// The targets that each block stages in shared memory, and where its elements find them there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Staging {
    /// Block `b` stages `list[offsets[b]..offsets[b + 1]]`, ascending, which is the order of memory.
    pub(crate) offsets: Vec<u32>,
    pub(crate) list: Vec<u32>,
    /// Target number `k` of position `p` is staged at `local[k * positions + p]`.
    pub(crate) local: Vec<u16>,
    /// For each entry of the list, whether several blocks reach that target.
    pub(crate) shared: Vec<u8>,
    /// The most targets that a block stages.
    pub(crate) most: u32,
}

/// The contributions to each target, in the order in which they are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sums {
    /// The targets, ascending; `None` if they are all of the set.
    pub(crate) targets: Option<Vec<u32>>,
    /// The `i`-th target gets `list[offsets[i]..offsets[i + 1]]`.
    pub(crate) offsets: Vec<u32>,
    /// Numbers of contributions or copies.
    pub(crate) list: Vec<u32>,
}

impl Cover<'_> {
    /// Targets per element.
    pub(crate) fn width(&self) -> usize {
        self.ways.iter().map(|w| w.used.len()).sum()
    }

    /// Calls `f` with the number of each target of element `e`, and the target.
    #[inline]
    pub(super) fn visit(&self, e: usize, mut f: impl FnMut(usize, usize)) {
        let mut number = 0;
        for way in &self.ways {
            for &target in &way.entries[e * way.arity + way.used.start..e * way.arity + way.used.end] {
                if target != MISSING {
                    f(number, target as usize);
                }
                number += 1;
            }
        }
    }
}

/// Stands for the target of a missing entry among those of a block.
pub(super) const MISSING_HERE: u16 = u16::MAX;

/// The element at a position.
#[inline]
pub(super) fn element(order: Option<&[u32]>, position: usize) -> usize {
    order.map_or(position, |o| o[position] as usize)
}

impl Staging {
    /// Stages the targets of blocks `offsets[b]..offsets[b + 1]` of positions. `None` if a block has
    /// more targets than 16 bits can number, or all of them together more than 32 bits can.
    pub(crate) fn new(cover: &Cover<'_>, order: Option<&[u32]>, blocks: &[u32]) -> Option<Staging> {
        let positions = *blocks.last()? as usize;
        let mut staging = Staging {
            offsets: vec![0],
            list: Vec::new(),
            local: vec![MISSING_HERE; positions * cover.width()],
            shared: Vec::new(),
            most: 0,
        };
        let mut place = vec![0u16; cover.targets];
        let mut own: Vec<u32> = Vec::new();
        for block in blocks.windows(2) {
            let range = block[0] as usize..block[1] as usize;
            own.clear();
            for p in range.clone() {
                cover.visit(element(order, p), |_, target| own.push(target as u32));
            }
            own.sort_unstable();
            own.dedup();
            if own.len() > usize::from(MISSING_HERE) {
                return None;
            }
            for (at, &target) in own.iter().enumerate() {
                place[target as usize] = at as u16;
            }
            for p in range {
                cover.visit(element(order, p), |k, target| staging.local[k * positions + p] = place[target]);
            }
            staging.list.extend_from_slice(&own);
            staging.offsets.push(u32::try_from(staging.list.len()).ok()?);
            staging.most = staging.most.max(own.len() as u32);
        }
        let mut touched = vec![0u8; cover.targets];
        for &target in &staging.list {
            let count = &mut touched[target as usize];
            *count = count.saturating_add(1);
        }
        staging.shared = staging.list.iter().map(|&target| u8::from(touched[target as usize] > 1)).collect();
        Some(staging)
    }

    /// Moves the targets that a block owns to the front of its part of the list and keeps the order otherwise; `own` says for each entry
    /// whether the block owns it. Each of the others gets a copy. Copies are numbered through all blocks: those of block `b` are
    /// `copies[b]..copies[b + 1]` of the result. `blocks` are the offsets from which the staging was made.
    pub(crate) fn split(&mut self, blocks: &[u32], own: &[bool]) -> Vec<u32> {
        let positions = blocks.last().map_or(0, |&end| end as usize);
        let width = self.local.len().checked_div(positions).unwrap_or(0);
        let mut copies = vec![0];
        let mut total = 0;
        let mut rank: Vec<u16> = Vec::new();
        for (b, block) in blocks.windows(2).enumerate() {
            let range = self.offsets[b] as usize..self.offsets[b + 1] as usize;
            let (mine, others): (Vec<usize>, Vec<usize>) = range.clone().partition(|&i| own[i]);
            total += others.len() as u32;
            copies.push(total);
            let moved: Vec<usize> = mine.into_iter().chain(others).collect();
            rank.resize(moved.len(), 0);
            for (to, &from) in moved.iter().enumerate() {
                rank[from - range.start] = to as u16;
            }
            let pick = |i: &usize| (self.list[*i], self.shared[*i]);
            let (list, shared): (Vec<u32>, Vec<u8>) = moved.iter().map(pick).unzip();
            self.list[range.clone()].copy_from_slice(&list);
            self.shared[range].copy_from_slice(&shared);
            for k in 0..width {
                for local in &mut self.local[k * positions + block[0] as usize..k * positions + block[1] as usize] {
                    if *local != MISSING_HERE {
                        *local = rank[usize::from(*local)];
                    }
                }
            }
        }
        copies
    }

    /// The copies of each target after [`Staging::split`], in the order of the blocks.
    pub(crate) fn sums(&self, copies: &[u32]) -> Sums {
        let ends = self.offsets.iter().skip(1).zip(copies.windows(2));
        let copied: Vec<u32> = ends
            .flat_map(|(&end, block)| &self.list[(end - (block[1] - block[0])) as usize..end as usize])
            .copied()
            .collect();
        let target = |copy: &u32| copied[*copy as usize];
        let mut list: Vec<u32> = (0..copied.len() as u32).collect();
        list.sort_by_key(target);
        let (mut targets, mut offsets) = (Vec::new(), vec![0]);
        for same in list.chunk_by(|a, b| target(a) == target(b)) {
            targets.push(target(&same[0]));
            offsets.push(offsets[offsets.len() - 1] + same.len() as u32);
        }
        Sums { targets: Some(targets), offsets, list }
    }
}

impl Sums {
    /// Sorts the contributions of `positions` elements by target, in the order in which the sequential executor adds
    /// them: target number `k` of position `p` is contribution `k * positions + p`. `None` if 32
    /// bits cannot number them.
    pub(crate) fn new(cover: &Cover<'_>, order: Option<&[u32]>, positions: usize) -> Option<Sums> {
        let all = positions.checked_mul(cover.width()).filter(|&n| n <= u32::MAX as usize)?;
        let mut offsets = vec![0u32; cover.targets + 1];
        for p in 0..positions {
            cover.visit(element(order, p), |_, target| offsets[target + 1] += 1);
        }
        for t in 0..cover.targets {
            offsets[t + 1] += offsets[t];
        }
        let mut next = offsets.clone();
        let mut list = vec![0u32; all];
        for p in 0..positions {
            cover.visit(element(order, p), |k, target| {
                list[next[target] as usize] = (k * positions + p) as u32;
                next[target] += 1;
            });
        }
        Some(Sums { targets: None, offsets, list })
    }
}

/// Where a block finds its copies of a cover's targets.
#[derive(Default)]
pub(super) struct Copies {
    /// The first copy of each block, of which as many targets are not its own; none if all are.
    pub(super) of_blocks: Option<Vec<u32>>,
    /// All copies.
    pub(super) count: usize,
}

impl Copies {
    /// The copies of a block.
    pub(super) fn of_block(&self, b: usize) -> Range<u32> {
        self.of_blocks.as_ref().map_or(0..0, |of| of[b]..of[b + 1])
    }
}

#[cfg(test)]
mod tests {
    use super::super::reach::Reach;
    use super::*;

    /// Edges of a ring of five nodes, and a node for each edge from a second map.
    const RING: [u32; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 0];
    const OTHER: [u32; 5] = [4, 4, 2, 2, 0];

    fn cover() -> Cover<'static> {
        let ring = Way { entries: &RING, arity: 2, used: 0..2 };
        let other = Way { entries: &OTHER, arity: 1, used: 0..1 };
        Cover { targets: 5, ways: vec![ring, other] }
    }

    #[test]
    fn reach_is_what_would_be_staged() {
        let cover = cover();
        let order = [4u32, 0, 3, 1, 2];
        for (order, blocks) in [(None, &[0u32, 2, 2, 5][..]), (Some(&order[..]), &[0, 5]), (None, &[0])] {
            let staging = Staging::new(&cover, order, blocks).expect("five targets fit");
            let reach = Reach::of(&cover, order, blocks, &[]);
            assert_eq!((reach.all, reach.most), (staging.list.len() as u64, staging.most));
            let alone = |target: &u32| staging.list.iter().filter(|other| *other == target).count() == 1;
            assert_eq!(reach.alone, staging.list.iter().filter(|target| alone(target)).count() as u64);
        }
    }

    #[test]
    fn every_target_is_where_its_block_staged_it() {
        let cover = cover();
        let order = [4u32, 0, 3, 1, 2];
        for order in [None, Some(&order[..])] {
            let blocks = [0, 2, 2, 5];
            let staging = Staging::new(&cover, order, &blocks).expect("five targets fit");
            for b in 0..3 {
                let own = &staging.list[staging.offsets[b] as usize..staging.offsets[b + 1] as usize];
                assert!(own.is_sorted_by(|a, b| a < b), "{own:?}");
                assert!(own.len() <= staging.most as usize);
                for p in blocks[b] as usize..blocks[b + 1] as usize {
                    cover.visit(element(order, p), |k, target| {
                        assert_eq!(own[usize::from(staging.local[k * 5 + p])] as usize, target);
                    });
                }
            }
        }
    }

    #[test]
    fn targets_of_several_blocks_are_marked() {
        let staging = Staging::new(&cover(), None, &[0, 2, 5]).expect("five targets fit");
        // Edges 0 and 1 touch nodes 0, 1, 2 and 4, the others 0, 2, 3 and 4.
        assert_eq!(staging.list, [0, 1, 2, 4, 0, 2, 3, 4]);
        assert_eq!(staging.shared, [1, 0, 1, 1, 1, 1, 0, 1]);
        assert_eq!((staging.offsets.as_slice(), staging.most), (&[0, 4, 8][..], 4));
    }

    /// Three blocks that all reach some target, one of them without elements.
    #[test]
    fn copies_stand_behind_what_is_a_blocks_own() {
        let cover = cover();
        let order = [4u32, 0, 3, 1, 2];
        let blocks = [0, 2, 2, 5];
        let before = Staging::new(&cover, Some(&order), &blocks).expect("five targets fit");
        let own: Vec<bool> = before.shared.iter().map(|&shared| shared == 0).collect();
        let mut after = before.clone();
        let copies = after.split(&blocks, &own);
        for b in 0..3 {
            let range = after.offsets[b] as usize..after.offsets[b + 1] as usize;
            let split = range.end - (copies[b + 1] - copies[b]) as usize;
            assert!(after.shared[range.start..split].iter().all(|&s| s == 0));
            assert!(after.shared[split..range.end].iter().all(|&s| s == 1));
            assert!(after.list[range.start..split].is_sorted() && after.list[split..range.end].is_sorted());
        }
        // Every entry still leads to its target.
        for b in [0, 2] {
            for p in blocks[b] as usize..blocks[b + 1] as usize {
                cover.visit(element(Some(&order), p), |k, target| {
                    let at = after.offsets[b] + u32::from(after.local[k * 5 + p]);
                    assert_eq!(after.list[at as usize] as usize, target);
                });
            }
        }
        let sums = after.sums(&copies);
        let targets = sums.targets.expect("some targets");
        let shared = |t: u32| before.list.iter().zip(&before.shared).any(|(&of, &s)| of == t && s == 1);
        assert_eq!(targets, (0..5).filter(|&t| shared(t)).collect::<Vec<_>>());
        // Blocks 0 and 2 have a copy of each.
        let n = targets.len() as u32;
        assert!(n > 0 && copies == [0, n, n, 2 * n], "{copies:?}");
        assert_eq!(sums.list, (0..n).flat_map(|i| [i, n + i]).collect::<Vec<_>>());
        assert_eq!(sums.offsets, (0..=n).map(|i| 2 * i).collect::<Vec<_>>());
    }

    #[test]
    fn contributions_come_in_sequential_order() {
        let sums = Sums::new(&cover(), None, 5).expect("fifteen contributions fit");
        let of = |t: usize| &sums.list[sums.offsets[t] as usize..sums.offsets[t + 1] as usize];
        // Node 4: edge 0 by the second map, edge 1 likewise, edge 3 by its second end, edge 4 by its first.
        assert_eq!(of(4), [10, 11, 5 + 3, 4]);
        assert_eq!(of(1), [5, 1]);
        assert_eq!(sums.list.len(), 15);
    }

    #[test]
    fn what_has_no_number_is_refused() {
        let entries: Vec<u32> = (0..70_000).collect();
        let way = Way { entries: &entries, arity: 70_000, used: 0..70_000 };
        assert_eq!(Staging::new(&Cover { targets: 70_000, ways: vec![way] }, None, &[0, 1]), None);
    }
}
