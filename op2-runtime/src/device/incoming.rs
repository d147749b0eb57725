//! The contributions to the targets of each block, in the form in which blocks copy them to shared memory.

use super::cover::Staging;
use crate::desc::StoredDesc;

/// Words of 16 bits in a unit, which one instruction copies.
const UNIT: usize = 8;

/// Words before those of targets, and of each target.
const HEAD: usize = 8;
const TARGET: usize = 2;

/// Where the elements of a block store their contributions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    /// Entries through which an element contributes.
    pub(crate) width: usize,
    /// The place of each; empty if all have one of their own.
    pub(crate) stored: &'a [StoredDesc],
}

/// The targets of a block that get sums.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Targets<'a> {
    /// Their number: they are the first that it stages.
    pub(crate) count: usize,
    /// How many of them are its own; they are the first.
    pub(crate) own: usize,
    /// The place of the copy of the first that is not.
    pub(crate) copy: u32,
    /// The least target, or the number of a far block among these; 0 if the block stages what it reads.
    pub(crate) base: u32,
    pub(crate) far: bool,
    /// How far each is above the least one, or its place among those of a far block; empty if the block stages what it reads.
    pub(crate) above: &'a [u16],
}

/// For each block the number of targets that are not its own, and of those that are, the place of the copy of the first that is not, the
/// least target, whether the block is far, of each target the byte at which its contributions begin and how far it is above the least one,
/// the byte at which the last ones end, and the contributions: the places of those to each target, in the order of positions. The value of
/// the block's position `t` at place `k` is at `k * threads + t`; where opposites may be meant, places count twice, and 1 more for an
/// opposite. See `Incoming` in `op2_collected.cuh`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Incoming {
    /// Block `b` has the units `offsets[b]..offsets[b + 1]`.
    pub(crate) offsets: Vec<u32>,
    pub(crate) words: Vec<u16>,
}

impl Places<'_> {
    /// Places of an element.
    pub(crate) fn count(&self) -> usize {
        self.stored.iter().map(|of| of.at + 1).max().unwrap_or(self.width)
    }

    /// Bytes that a block of `threads` positions needs at most for its lists if it reaches `most` targets.
    pub(crate) fn bytes(&self, most: u32, threads: usize) -> u64 {
        let words = HEAD as u64 + TARGET as u64 * (u64::from(most) + 1) + self.width as u64 * threads as u64;
        2 * words.next_multiple_of(UNIT as u64)
    }

    /// Whether 16 bits can number the bytes of the lists of a block of `threads` positions that reaches `most` targets at most, and so twice
    /// the places.
    pub(crate) fn fit(&self, threads: usize, most: u32) -> bool {
        self.bytes(most, threads) <= u64::from(u16::MAX)
    }

    /// The place of the contribution of position `t` through entry `k`, in a block of `threads` positions.
    fn of(&self, k: usize, t: usize, threads: usize) -> u16 {
        let (at, turned) = self.stored.get(k).map_or((k, false), |of| (of.at, of.turned));
        let place = at * threads + t;
        let marks = self.stored.iter().any(|of| of.turned);
        (if marks { 2 * place + usize::from(turned) } else { place }) as u16
    }
}

impl Incoming {
    /// Units behind those of the last block: each of its threads loads the number of a target before it knows how many there are.
    pub(crate) fn behind(threads: usize) -> usize {
        (2 * threads).div_ceil(UNIT) + 1
    }

    /// The words by unit.
    pub(crate) fn units(&self) -> &[[u16; UNIT]] {
        self.words.as_chunks().0
    }

    /// Lists the contributions to the first staged targets of each block: to `targets(b)`. `blocks` are the offsets from which the staging
    /// was made, of which `threads` positions at most are one block.
    pub(crate) fn new<'a>(
        staging: &Staging,
        blocks: &[u32],
        threads: usize,
        places: &Places<'_>,
        targets: impl Fn(usize) -> Targets<'a>,
    ) -> Option<Self> {
        let positions = blocks.last().map_or(0, |&end| end as usize);
        if !places.fit(threads, staging.most) {
            return None;
        }
        let mut all = Incoming { offsets: vec![0], words: Vec::new() };
        let mut starts: Vec<u16> = Vec::new();
        for (b, block) in blocks.windows(2).enumerate() {
            let (first, Targets { count, own, copy, base, far, above }) = (block[0] as usize, targets(b));
            let contributions = || {
                let of = move |p: usize| {
                    (0..places.width).map(move |k| (places.of(k, p - first, threads), k * positions + p))
                };
                (first..block[1] as usize).flat_map(of).map(|(place, at)| (place, usize::from(staging.local[at])))
            };
            // Counts one place further, so that filling leaves the starts.
            starts.clear();
            starts.resize(count + 2, 0);
            contributions().filter(|(_, target)| *target < count).for_each(|(_, target)| starts[target + 2] += 1);
            for target in 0..count {
                starts[target + 2] += starts[target + 1];
            }
            assert!(
                starts[1..].is_sorted_by(|a, b| a < b),
                "a block lists targets that its elements reach, and sums one contribution at least"
            );
            let (begin, ahead) = (all.words.len(), HEAD + TARGET * (count + 1));
            let [copy, base] = [copy, base].map(|of| [of as u16, (of >> 16) as u16]);
            all.words.extend([(count - own) as u16, own as u16, copy[0], copy[1], base[0], base[1], u16::from(far), 0]);
            all.words.resize(begin + ahead + usize::from(starts[count + 1]), 0);
            for (place, target) in contributions().filter(|(_, target)| *target < count) {
                let next = &mut starts[target + 1];
                all.words[begin + ahead + usize::from(*next)] = place;
                *next += 1;
            }
            let of_targets = all.words[begin + HEAD..begin + ahead].chunks_mut(TARGET);
            let above = above.iter().copied().take(count).chain(std::iter::repeat(0));
            for ((of_target, &start), above) in of_targets.zip(&starts).zip(above) {
                of_target.copy_from_slice(&[(2 * (ahead + usize::from(start))) as u16, above]);
            }
            all.words.resize(all.words.len().next_multiple_of(UNIT), 0);
            all.offsets.push(u32::try_from(all.words.len() / UNIT).ok()?);
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cover::{Cover, Way};
    use crate::inspect::MISSING;

    /// The contributions to each target of a block, read as the device reads them.
    fn read(incoming: &Incoming, block: usize) -> Vec<Vec<u16>> {
        let units = incoming.offsets[block] as usize * UNIT..incoming.offsets[block + 1] as usize * UNIT;
        let words = &incoming.words[units];
        let count = usize::from(words[0] + words[1]);
        let of_targets = &words[HEAD..HEAD + TARGET * (count + 1)];
        let starts: Vec<usize> = of_targets.iter().step_by(TARGET).map(|start| usize::from(*start) / 2).collect();
        starts.windows(2).map(|of| words[of[0]..of[1]].to_vec()).collect()
    }

    fn plain(width: usize) -> Places<'static> {
        Places { width, stored: &[] }
    }

    #[test]
    fn contributions_are_listed_in_the_order_of_positions() {
        // Edges of a path, one with both ends at one node, one with an end that is missing.
        let ends = [0, 1, 1, 2, 2, 2, 3, MISSING, 3, 0];
        let cover = Cover { targets: 4, ways: vec![Way { entries: &ends, arity: 2, used: 0..2 }] };
        let blocks = [0, 3, 3, 5];
        let staging = Staging::new(&cover, None, &blocks).expect("four targets fit");
        let all = |b: usize| {
            let count = (staging.offsets[b + 1] - staging.offsets[b]) as usize;
            Targets { count, own: count, copy: 0, base: 0, far: false, above: &[] }
        };
        let incoming = Incoming::new(&staging, &blocks, 32, &plain(2), all).expect("64 contributions fit");
        assert_eq!(read(&incoming, 0), [vec![0], vec![32, 1], vec![33, 2, 34]]);
        assert_eq!(read(&incoming, 1), Vec::<Vec<u16>>::new());
        // Staged are the nodes 0 and 3.
        assert_eq!(read(&incoming, 2), [vec![33], vec![0, 1]]);
        let stored = [StoredDesc { at: 0, turned: false }, StoredDesc { at: 0, turned: true }];
        let shared = Places { width: 2, stored: &stored };
        let turned = Incoming::new(&staging, &blocks, 32, &shared, all).expect("32 places fit");
        assert_eq!(read(&turned, 0), [vec![0], vec![1, 2], vec![3, 4, 5]]);
        let one = Targets { count: 1, own: 0, copy: 0x7_0005, base: 0x3_0004, far: true, above: &[9, 8, 7] };
        let some = Incoming::new(&staging, &blocks, 32, &plain(2), |b| Targets { count: all(b).count.min(1), ..one })
            .expect("64 contributions fit");
        assert_eq!([0, 2].map(|b| read(&some, b)), [[vec![0]], [vec![33]]]);
        assert_eq!([&incoming, &some].map(|of| of.words[1..7].to_vec()), [[3, 0, 0, 0, 0, 0], [0, 5, 7, 4, 3, 1]]);
        assert_eq!([&incoming, &some].map(|of| of.words[HEAD..HEAD + 4].to_vec()), [[32, 0, 34, 0], [24, 9, 26, 0]]);
        for b in 0..3 {
            let units = (incoming.offsets[b + 1] - incoming.offsets[b]) as usize;
            assert!(units as u64 * 16 <= plain(2).bytes(all(b).count as u32, 3), "{b}");
        }
    }

    #[test]
    fn what_has_no_number_is_refused() {
        let one = Targets { count: 1, own: 1, copy: 0, base: 0, far: false, above: &[] };
        let staging = Staging { offsets: vec![0, 1], list: vec![0], local: vec![0; 70], shared: vec![0], most: 1 };
        assert_eq!(Incoming::new(&staging, &[0, 1], 1024, &plain(70), |_| one), None);
        for (width, fit) in [(31, true), (32, false)] {
            assert_eq!(plain(width).fit(1024, 400), fit, "{width}");
        }
    }
}
