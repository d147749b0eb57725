//! Counts the targets that blocks reach through maps, and the sectors of memory that their rows lie in.

use super::cover::Cover;

/// Bytes of a sector.
const SECTOR: usize = op2_device::SECTOR as usize;
/// Threads of a warp of the GPUs that the model knows.
pub(super) const WARP: usize = 32;

/// How many targets blocks reach, each counted once in a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// All blocks together.
    pub(crate) all: u64,
    /// The most of one block.
    pub(crate) most: u32,
    /// Targets that any block reaches.
    pub(crate) different: u64,
    /// Targets that one block alone reaches.
    pub(crate) alone: u64,
    /// The most contributions to one of the targets of a warp, all warps added up: those of the block that has most to this target.
    longest: u64,
    /// Bytes of rows, and the sectors in which those of these targets lie: all blocks together, and different ones.
    sectors: Vec<(usize, [u64; 2])>,
}

/// Marks of the targets of a cover, or of sectors with their rows.
struct Marks {
    /// The last block that reached each.
    last: Vec<u32>,
    all: u64,
    different: u64,
}

impl Marks {
    fn new(number: usize) -> Self {
        Marks { last: vec![0; number], all: 0, different: 0 }
    }

    /// Notes that block `stamp - 1` reaches one; the last block that reached it before, if it is another one.
    #[inline]
    fn reach(&mut self, at: usize, stamp: u32) -> Option<u32> {
        let last = std::mem::replace(&mut self.last[at], stamp);
        self.all += u64::from(last != stamp);
        self.different += u64::from(last == 0);
        (last != stamp).then_some(last)
    }
}

impl Reach {
    /// Counts the targets of blocks `offsets[b]..offsets[b + 1]` of positions, as [`Staging::new`](super::cover::Staging::new) would list
    /// them. `rows` lists the bytes of rows whose sectors are counted.
    pub(crate) fn of(cover: &Cover<'_>, order: Option<&[u32]>, offsets: &[u32], rows: &[usize]) -> Reach {
        let mut single = Marks::new(cover.targets);
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows.dedup();
        // Rows of whole sectors share none.
        let marks = |&bytes: &usize| (bytes, Marks::new((cover.targets * bytes).div_ceil(SECTOR)));
        let mut sectors: Vec<(usize, Marks)> = rows.iter().filter(|&&b| b % SECTOR != 0).map(marks).collect();
        let mut several = vec![false; cover.targets];
        // Contributions to each target: of the block at hand, and of the block with most.
        let (mut here, mut highest) = (vec![0_u32; cover.targets], vec![0_u32; cover.targets]);
        let (mut most, mut shared) = (0, 0);
        for (b, block) in offsets.windows(2).enumerate() {
            let stamp = b as u32 + 1;
            let before = single.all;
            for p in block[0] as usize..block[1] as usize {
                cover.visit(super::cover::element(order, p), |_, target| {
                    let last = single.reach(target, stamp);
                    here[target] = if last.is_some() { 1 } else { here[target] + 1 };
                    highest[target] = highest[target].max(here[target]);
                    let Some(last) = last else { return };
                    shared += u64::from(last != 0 && !std::mem::replace(&mut several[target], true));
                    for (bytes, marks) in &mut sectors {
                        let (first, end) = (target * *bytes, (target + 1) * *bytes);
                        (first / SECTOR..end.div_ceil(SECTOR)).for_each(|at| _ = marks.reach(at, stamp));
                    }
                });
            }
            most = most.max(single.all - before);
        }
        highest.retain(|&count| count > 0);
        let longest = highest.chunks(WARP).map(|warp| u64::from(warp.iter().copied().max().unwrap_or(0))).sum();
        Reach {
            longest,
            all: single.all,
            most: most as u32,
            different: single.different,
            alone: single.different - shared,
            sectors: sectors.into_iter().map(|(bytes, marks)| (bytes, [marks.all, marks.different])).collect(),
        }
    }

    /// The contributions to that target of a warp which gets most of them in a block, on average.
    pub(crate) fn longest(&self) -> f64 {
        self.longest as f64 / self.different.div_ceil(WARP as u64).max(1) as f64
    }

    /// The sectors in which the rows of targets lie, if a row has `bytes` bytes: those of each block added up, and different ones.
    ///
    /// # Panics
    /// They were not counted.
    pub(crate) fn sectors(&self, bytes: usize) -> [f64; 2] {
        if bytes.is_multiple_of(SECTOR) {
            return [self.all, self.different].map(|n| (n * (bytes / SECTOR) as u64) as f64);
        }
        let found = self.sectors.iter().find(|(of, _)| *of == bytes);
        let (_, found) = found.unwrap_or_else(|| panic!("sectors of rows of {bytes} bytes were not counted"));
        found.map(|n| n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cover::Way;
    use super::*;

    #[test]
    fn rows_share_sectors() {
        // Two blocks of two elements: targets 0, 1, 8 and 1, 2, 9.
        let entries = [0, 1, 0, 8, 1, 2, 9, 9];
        let cover = Cover { targets: 16, ways: vec![Way { entries: &entries, arity: 2, used: 0..2 }] };
        let reach = Reach::of(&cover, None, &[0, 2, 4], &[16, 4, 24, 48, 64]);
        assert_eq!((reach.all, reach.most, reach.different, reach.alone), (6, 3, 5, 4));
        assert_eq!(reach.sectors(64), [12.0, 10.0]);
        // Target 9 has two contributions, as 0 has; 1 gets one from each block.
        assert_eq!((reach.longest, reach.longest()), (2, 2.0));
        // Sectors 0 and 4; 0, 1 and 4.
        assert_eq!(reach.sectors(16), [5.0, 3.0]);
        assert_eq!(reach.sectors(4), [4.0, 2.0]);
        // Of 24 bytes, row 1 lies in sectors 0 and 1, row 2 in 1 and 2, rows 8 and 9 in 6 and in 6 and 7.
        assert_eq!(reach.sectors(24), [3.0 + 5.0, 5.0]);
        // Of 48 bytes, rows 0, 1 and 8 lie in sectors 0 to 2, 12 and 13, rows 1, 2 and 9 in 1 to 4, 13 and 14.
        assert_eq!(reach.sectors(48), [5.0 + 6.0, 8.0]);
        assert_eq!(Reach::of(&cover, None, &[0], &[16]).sectors(16), [0.0, 0.0]);
    }
}
