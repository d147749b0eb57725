//! The targets of blocks that gather them: 16 bits say how far above the least one of the block each is. Of blocks that reach targets
//! farther from each other they name a place in a list.

use super::cover::{MISSING_HERE, Staging};

/// The most targets between the least and the greatest one of a block that is not far: the next number says that an entry is missing.
pub(super) const SPAN: u32 = MISSING_HERE as u32 - 1;

/// The targets of the blocks of a cover.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gathered {
    /// The least one of each block; of a far block its number among these.
    pub(super) bases: Vec<u32>,
    /// That of each entry, position by position: how far it is above the least one, or in far blocks its place among those of the block.
    pub(super) entries: Vec<u16>,
    /// The same of those that a block stages elsewhere, in their order.
    pub(super) listed: Vec<u16>,
    /// Those of far blocks, with room for `each` in every block.
    pub(super) wide: Vec<u32>,
}

/// For each of `blocks` blocks, whether its targets are too far from each other, in any cover.
pub(super) fn far<'a>(stagings: impl Iterator<Item = &'a Staging>, blocks: usize) -> Vec<bool> {
    let mut far = vec![false; blocks];
    for staging in stagings {
        for (far, list) in far.iter_mut().zip(lists(staging)) {
            *far |= list.iter().max().zip(list.iter().min()).is_some_and(|(most, least)| most - least > SPAN);
        }
    }
    far
}

/// The targets of each block.
fn lists(staging: &Staging) -> impl Iterator<Item = &[u32]> {
    staging.offsets.windows(2).map(|block| &staging.list[block[0] as usize..block[1] as usize])
}

impl Gathered {
    /// Those of a staging of the blocks of positions `blocks[b]..blocks[b + 1]`.
    pub(super) fn new(staging: &Staging, blocks: &[u32], far: &[bool], each: usize) -> Gathered {
        let mut found =
            Gathered { bases: Vec::new(), entries: staging.local.clone(), listed: Vec::new(), wide: Vec::new() };
        let positions = blocks.last().map_or(0, |&end| end as usize);
        let mut numbers = 0..;
        for ((block, list), &far) in blocks.windows(2).zip(lists(staging)).zip(far) {
            if far {
                let number = numbers.next().unwrap_or(0);
                found.bases.push(number);
                found.listed.extend(0..list.len() as u16);
                found.wide.extend_from_slice(list);
                // Its number says where it begins. Threads without an element read some place.
                found.wide.resize((number as usize + 1) * each.max(1), 0);
                continue;
            }
            let base = list.iter().min().copied().unwrap_or(0);
            found.bases.push(base);
            found.listed.extend(list.iter().map(|target| (target - base) as u16));
            for of_entry in found.entries.chunks_mut(positions) {
                let there = of_entry[block[0] as usize..block[1] as usize].iter_mut();
                there.filter(|at| **at != MISSING_HERE).for_each(|at| *at = (list[usize::from(*at)] - base) as u16);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cover::{Cover, Way};
    use crate::inspect::MISSING;

    /// The targets of elements with two entries, in blocks that begin at `blocks`, as a device reads them.
    fn read(entries: &[u32], targets: usize, blocks: &[u32]) -> (Vec<bool>, Vec<Option<u32>>) {
        let cover = Cover { targets, ways: vec![Way { entries, arity: 2, used: 0..2 }] };
        let staging = Staging::new(&cover, None, blocks).expect("few targets");
        let far = far([&staging].into_iter(), blocks.len() - 1);
        let each = staging.most as usize;
        let found = Gathered::new(&staging, blocks, &far, each);
        let positions = entries.len() / 2;
        let block = |p: usize| blocks.iter().rposition(|&start| start as usize <= p).expect("a block");
        let target = |b: usize, at: u16| match far[b] {
            true => found.wide[found.bases[b] as usize * each + usize::from(at)],
            false => found.bases[b] + u32::from(at),
        };
        let of_block = |b: usize| staging.offsets[b] as usize..staging.offsets[b + 1] as usize;
        for b in 0..far.len() {
            let listed: Vec<u32> = found.listed[of_block(b)].iter().map(|&at| target(b, at)).collect();
            assert_eq!(listed, staging.list[of_block(b)]);
        }
        let entry = |n: usize| {
            let (p, at) = (n / 2, found.entries[n % 2 * positions + n / 2]);
            (at != MISSING_HERE).then(|| target(block(p), at))
        };
        let found = (0..entries.len()).map(entry).collect();
        (far, found)
    }

    #[test]
    fn every_entry_leads_to_its_target() {
        let last = 70_000;
        // Near targets, and a missing one; targets that are far from each other, twice; no element; targets that are as far as 16 bits say.
        let entries = [9, 10, MISSING, 12, 0, last, 5, 6, last, 1, MISSING, 2, 100, 65_634, 101, MISSING];
        let (far, found) = read(&entries, last as usize + 1, &[0, 2, 4, 6, 6, 8]);
        assert_eq!(far, [false, true, true, false, false]);
        assert_eq!(found, entries.map(|target| (target != MISSING).then_some(target)));
        let (far, _) = read(&[100, 65_635], 65_636, &[0, 1]);
        assert_eq!(far, [true], "the last number stands for a missing target");
        assert_eq!(read(&[], 3, &[0]), (Vec::new(), Vec::new()));
        assert_eq!(read(&[MISSING; 4], 0, &[0, 2]), (vec![false], vec![None; 4]));
    }
}
