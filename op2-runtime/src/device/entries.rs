//! The targets of entries as blocks that gather read them: 16 bits say how far above the least one of the block each is. Blocks that reach
//! targets farther from each other have a list of their own in addition.

use super::schedule::BlockSchedule;
use super::task::Task;
use crate::data::room;
use crate::inspect::MISSING;
use crate::strategy::Reads;

/// The narrow entry that is missing.
const NOWHERE: u16 = u16::MAX;
/// The most targets between the least and the greatest one of a block that is not far.
pub(super) const SPAN: u32 = NOWHERE as u32 - 1;

/// The entries of each cover of a loop.
pub(super) enum Entries {
    /// Places among the targets that a block stages: those of the stagings.
    Places,
    Targets {
        /// Whether the targets of a block are too far from each other, in any cover.
        far: Vec<bool>,
        covers: Vec<Targets>,
    },
}

/// The targets of the entries of a cover.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Targets {
    /// The least one of each block.
    pub(super) bases: Vec<u32>,
    /// How far above it each is, entry by entry, position by position; of far blocks it is not known.
    pub(super) above: Vec<u16>,
    /// The targets of far blocks, entry by entry, positions of these blocks one after the other.
    pub(super) wide: Vec<u32>,
}

impl Entries {
    /// Those of blocks that read so.
    ///
    /// # Errors
    /// The host has no room for the lists.
    pub(super) fn new(task: &Task<'_>, reads: Reads, blocks: &BlockSchedule) -> crate::Result<Self> {
        if reads == Reads::Staged {
            return Ok(Entries::Places);
        }
        let positions = blocks.offsets.last().map_or(0, |&end| end as usize);
        let all: usize = (0..task.device.covers.len()).map(|cover| task.places(cover).width).sum();
        // Each entry as a target, and as a distance.
        let bytes = (size_of::<u32>() + size_of::<u16>()) as u128 * all as u128 * positions as u128;
        if !room::has(bytes) {
            return Err(room::missing(format!("the entries of the blocks of loop `{}`", task.desc.kernel), bytes));
        }
        let of = |cover| task.cover(cover).map(|ways| ways.targets_of(blocks.order.as_deref(), positions));
        let covers: Vec<Vec<u32>> = (0..task.device.covers.len()).map(|cover| of(cover).unwrap_or_default()).collect();
        let extents: Vec<Vec<Extent>> =
            covers.iter().map(|targets| Extent::of_blocks(targets, &blocks.offsets)).collect();
        let far: Vec<bool> =
            (0..blocks.offsets.len() - 1).map(|b| extents.iter().any(|of| of[b].span() > SPAN)).collect();
        let of_cover =
            |(targets, extents): (&Vec<u32>, &Vec<Extent>)| Targets::new(targets, &blocks.offsets, extents, &far);
        let covers = covers.iter().zip(&extents).map(of_cover).collect();
        Ok(Entries::Targets { far, covers })
    }

    /// For each block, whether it is far; nothing of blocks that stage what they read.
    pub(super) fn far(&self) -> &[bool] {
        match self {
            Entries::Places => &[],
            Entries::Targets { far, .. } => far,
        }
    }

    pub(super) fn is_far(&self, block: usize) -> bool {
        self.far().get(block).is_some_and(|far| *far)
    }
}

/// The least and the greatest target of a block.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    least: u32,
    greatest: u32,
}

impl Extent {
    /// That of no targets.
    pub(super) const NONE: Extent = Extent { least: u32::MAX, greatest: 0 };

    /// Includes a target.
    #[inline]
    pub(super) fn reach(&mut self, target: u32) {
        (self.least, self.greatest) = (self.least.min(target), self.greatest.max(target));
    }

    /// Targets between the least and the greatest one.
    pub(super) fn span(self) -> u32 {
        self.greatest.saturating_sub(self.least)
    }

    /// Those of all blocks.
    fn of_blocks(targets: &[u32], blocks: &[u32]) -> Vec<Extent> {
        let of = |block: &[u32]| {
            let mut extent = Extent::NONE;
            let there = lists(targets, blocks).flat_map(|list| &list[block[0] as usize..block[1] as usize]);
            there.filter(|&&target| target != MISSING).for_each(|&target| extent.reach(target));
            extent
        };
        blocks.windows(2).map(of).collect()
    }
}

impl Targets {
    /// The targets of positions, one list for each entry, in blocks of the positions `blocks[b]..blocks[b + 1]`.
    fn new(targets: &[u32], blocks: &[u32], extents: &[Extent], far: &[bool]) -> Targets {
        let bases = extents.iter().map(|of| if of.least == u32::MAX { 0 } else { of.least }).collect::<Vec<u32>>();
        let (mut above, mut wide) = (Vec::with_capacity(targets.len()), Vec::new());
        for list in lists(targets, blocks) {
            for (b, block) in blocks.windows(2).enumerate() {
                let of_block = &list[block[0] as usize..block[1] as usize];
                let narrow = |&target: &u32| match target {
                    _ if far[b] => 0,
                    MISSING => NOWHERE,
                    target => (target - bases[b]) as u16,
                };
                above.extend(of_block.iter().map(narrow));
                wide.extend_from_slice(if far[b] { of_block } else { &[] });
            }
        }
        Targets { bases, above, wide }
    }
}

/// The list of each entry.
fn lists<'a>(targets: &'a [u32], blocks: &[u32]) -> impl Iterator<Item = &'a [u32]> + use<'a> {
    targets.chunks(blocks.last().map_or(1, |&end| end.max(1) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(targets: &[u32], blocks: &[u32]) -> (Vec<bool>, Targets) {
        let extents = Extent::of_blocks(targets, blocks);
        let far: Vec<bool> = extents.iter().map(|of| of.span() > SPAN).collect();
        let found = Targets::new(targets, blocks, &extents, &far);
        (far, found)
    }

    #[test]
    fn targets_of_a_block_are_counted_from_the_least_one() {
        // Two entries of three positions, in blocks of two and one, and an empty block.
        let (far, found) = targets(&[70_000, 80_000, 5, 90_000, MISSING, 9], &[0, 2, 2, 3]);
        assert_eq!(far, [false; 3]);
        let above = vec![0, 10_000, 0, 20_000, NOWHERE, 4];
        assert_eq!(found, Targets { bases: vec![70_000, 0, 5], above, wide: Vec::new() });
        let (far, nothing) = targets(&[], &[0]);
        assert_eq!((far, nothing), (Vec::new(), Targets { bases: Vec::new(), above: Vec::new(), wide: Vec::new() }));
    }

    #[test]
    fn blocks_whose_targets_are_far_from_each_other_have_lists() {
        for (last, far) in [(65_534, false), (65_535, true)] {
            // The second block has a missing entry and one that is near, the first one has both ends.
            let (found, of) = targets(&[0, last, MISSING, last, 0, 7], &[0, 2, 3]);
            assert_eq!(found, [far, false]);
            assert_eq!(of.wide, if far { vec![0, last, last, 0] } else { Vec::new() });
            assert_eq!(of.above, if far { [0, 0, NOWHERE, 0, 0, 0] } else { [0, 65_534, NOWHERE, 65_534, 0, 0] });
        }
    }
}
