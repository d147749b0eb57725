//! The targets of entries as blocks that gather read them: in 16 bits where the targets of each block are that close to each other.

use super::schedule::BlockSchedule;
use super::task::Task;
use crate::data::room;
use crate::strategy::Reads;

/// The most targets between the least and the greatest of a block whose entries are narrow.
pub(super) const SPAN: u32 = u16::MAX as u32;

/// The entries of each cover of a loop.
pub(super) enum Entries {
    /// Places among the targets that a block stages: those of the stagings.
    Places,
    /// Targets, as distances from the least one of the block.
    Narrow(Vec<Narrow>),
    /// Targets.
    Wide(Vec<Vec<u32>>),
}

/// The targets of entries, as distances.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Narrow {
    /// The least target of each block.
    pub(super) bases: Vec<u32>,
    /// How far above it each target is.
    pub(super) above: Vec<u16>,
}

/// The name of the class in texts for devices of this way to read.
pub(super) fn class(reads: Reads, narrow: bool) -> &'static str {
    match reads {
        Reads::Staged => "Staged",
        Reads::Gathered if narrow => "Narrow",
        Reads::Gathered => "Gathered",
    }
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
        let wide: Vec<Vec<u32>> = (0..task.device.covers.len()).map(|cover| of(cover).unwrap_or_default()).collect();
        let narrow = || wide.iter().map(|targets| Narrow::new(targets, &blocks.offsets)).collect::<Option<_>>();
        Ok(match (!task.may_miss()).then(narrow).flatten() {
            Some(narrow) => Entries::Narrow(narrow),
            None => Entries::Wide(wide),
        })
    }

    pub(super) fn are_narrow(&self) -> bool {
        matches!(self, Entries::Narrow(_))
    }
}

impl Narrow {
    /// The targets of positions, one list for each entry, in blocks of the positions `blocks[b]..blocks[b + 1]`. `None` if the targets of a
    /// block are too far from each other, as one that is missing is from all others.
    fn new(targets: &[u32], blocks: &[u32]) -> Option<Narrow> {
        let positions = blocks.last().map_or(0, |&end| end as usize);
        let mut narrow = Narrow { bases: Vec::with_capacity(blocks.len() - 1), above: vec![0; targets.len()] };
        for block in blocks.windows(2) {
            let lists = || (0..targets.len()).step_by(positions.max(1));
            let of = |list: usize| list + block[0] as usize..list + block[1] as usize;
            let all = || lists().flat_map(|list| &targets[of(list)]).copied();
            let base = all().min().unwrap_or(0);
            if all().max().unwrap_or(0) - base > SPAN {
                return None;
            }
            for list in lists() {
                of(list).for_each(|at| narrow.above[at] = (targets[at] - base) as u16);
            }
            narrow.bases.push(base);
        }
        Some(narrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::MISSING;

    #[test]
    fn targets_of_a_block_are_counted_from_the_least_one() {
        // Two entries of three positions, in blocks of two and one, and an empty block.
        let blocks = [0, 2, 2, 3];
        let narrow = Narrow::new(&[70_000, 80_000, 5, 90_000, 70_001, 9], &blocks).expect("they are close");
        assert_eq!(narrow, Narrow { bases: vec![70_000, 0, 5], above: vec![0, 10_000, 0, 20_000, 1, 4] });
        assert_eq!(Narrow::new(&[], &[0]), Some(Narrow { bases: Vec::new(), above: Vec::new() }));
        let [near, far] = [65_535, 65_536].map(|last| Narrow::new(&[0, last], &[0, 2]));
        assert!(near.is_some_and(|narrow| narrow.above == [0, u16::MAX]) && far.is_none());
        assert_eq!(Narrow::new(&[0, MISSING], &[0, 2]), None);
    }
}
