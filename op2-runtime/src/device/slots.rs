//! The contributions to targets of which each has a thread: those of a wave side by side.

use super::cover::{Cover, element};
use crate::data::room;

/// Stands for no contribution.
const NONE: u32 = u32::MAX;
/// The most words of a dense list for each contribution.
const SPARSE: usize = 8;
/// Words that it may have beyond these: short lists are dense.
const SPARE: usize = 1 << 20;

/// The contributions to each target, as `PerTarget` in `op2_targets.cuh` takes them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Slots {
    /// The targets that get contributions, ascending; `None` if they are all of the set.
    pub(super) targets: Option<Vec<u32>>,
    /// The first row of each wave of targets, and the end of the last one.
    pub(super) starts: Vec<u32>,
    /// Row by row, a word for each thread of a wave: an element, and in the highest bits the number of the target among its own.
    pub(super) list: Vec<u32>,
    /// The bits of the element.
    bits: u32,
}

impl Slots {
    /// The contributions of `n` elements, in this order if there is one. All targets of a wave have as many words as the
    /// one with most contributions: a target that most elements share makes the list many times as long as they are.
    ///
    /// # Errors
    /// The bytes of the list, if memory lacks, or if words cannot number elements or rows.
    pub(super) fn new(cover: &Cover<'_>, order: Option<&[u32]>, n: usize, wave: usize) -> Result<Self, u128> {
        Self::within(cover, order, n, wave, usize::MAX)
    }

    /// The same unless nearly all words would be empty.
    pub(super) fn dense(cover: &Cover<'_>, order: Option<&[u32]>, n: usize, wave: usize) -> Option<Self> {
        Self::within(cover, order, n, wave, SPARSE * n * cover.width() + SPARE).ok()
    }

    /// The same in `most` words.
    fn within(cover: &Cover<'_>, order: Option<&[u32]>, n: usize, wave: usize, most: usize) -> Result<Self, u128> {
        let bits = element_bits(cover.width());
        let mut counts = vec![0u32; cover.targets];
        let mut last = 0;
        for p in 0..n {
            let e = element(order, p);
            last = last.max(e);
            cover.visit(e, |_, target| counts[target] += 1);
        }
        let targets: Option<Vec<u32>> = counts
            .contains(&0)
            .then(|| (0..cover.targets as u32).filter(|&target| counts[target as usize] > 0).collect());
        // From here on, targets are those with a thread.
        let mut thread: Vec<u32> = Vec::new();
        if let Some(targets) = &targets {
            thread = vec![0; cover.targets];
            targets.iter().zip(0..).for_each(|(&target, t)| thread[target as usize] = t);
            counts = targets.iter().map(|&target| counts[target as usize]).collect();
        }
        let rows_of = |wave: &[u32]| wave.iter().copied().max().unwrap_or(0);
        let words = counts.chunks(wave).map(|wave| u128::from(rows_of(wave))).sum::<u128>() * wave as u128;
        let bytes = words * size_of::<u32>() as u128;
        // Threads count to one row behind the last one.
        let numbered = words + wave as u128 <= u128::from(u32::MAX) && last as u64 + 1 < 1 << bits;
        if !numbered || words > most as u128 {
            return Err(bytes);
        }
        let list = room::filled(String::new, NONE, words as usize).map_err(|_| bytes)?;
        let mut starts = vec![0u32];
        starts.extend(counts.chunks(wave).map(rows_of).scan(0, |row, rows| {
            *row += rows;
            Some(*row)
        }));
        let mut slots = Slots { targets, list, starts, bits };
        counts.fill(0);
        for p in 0..n {
            let e = element(order, p);
            cover.visit(e, |number, target| {
                let target = thread.get(target).map_or(target, |&t| t as usize);
                let row = (slots.starts[target / wave] + counts[target]) as usize;
                counts[target] += 1;
                slots.list[row * wave + target % wave] = e as u32 | ((number as u64) << bits) as u32;
            });
        }
        Ok(slots)
    }

    /// Targets with contributions, of a set with `all` elements.
    pub(super) fn count(&self, all: usize) -> usize {
        self.targets.as_ref().map_or(all, Vec::len)
    }

    /// The elements in the order of the list; none where it has no contribution.
    pub(super) fn elements(&self) -> impl Iterator<Item = Option<usize>> + Clone + '_ {
        let element = |word: u32| (u64::from(word) & ((1 << self.bits) - 1)) as usize;
        self.list.iter().map(move |&word| (word != NONE).then(|| element(word)))
    }
}

/// The bits of a word that number elements which have `width` targets.
fn element_bits(width: usize) -> u32 {
    u32::BITS - width.next_power_of_two().trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::super::cover::Way;
    use super::*;

    fn of<'a>(entries: &'a [u32], arity: usize, targets: usize) -> Cover<'a> {
        Cover { targets, ways: vec![Way { entries, arity, used: 0..arity }] }
    }

    #[test]
    fn targets_of_a_wave_have_their_contributions_side_by_side() {
        // Edges 0-1, 1-2, 2-0, 1-4: five nodes in waves of two.
        let ends = [0, 1, 1, 2, 2, 0, 1, 4];
        let slots = Slots::new(&of(&ends, 2, 5), None, 4, 2).expect("it is small");
        const OTHER: u32 = 1 << 31;
        assert_eq!((&slots.targets, &slots.starts[..]), (&Some(vec![0, 1, 2, 4]), &[0, 3, 5][..]));
        let waves = [[0, OTHER], [2 | OTHER, 1], [NONE, 3], [1 | OTHER, 3 | OTHER], [2, NONE]];
        assert_eq!(slots.list, waves.concat());
        let elements: Vec<Option<usize>> = slots.elements().collect();
        assert_eq!(elements[..6], [Some(0), Some(0), Some(2), Some(1), None, Some(3)]);
    }

    #[test]
    fn missing_entries_and_elements_that_are_not_listed_contribute_nothing() {
        let ends = [0, crate::inspect::MISSING, 1, 0];
        let slots = Slots::new(&of(&ends, 2, 2), Some(&[0]), 1, 2).expect("it is small");
        assert_eq!((slots.starts, slots.list), (vec![0, 1], vec![0, NONE]));
        // Of nine targets, 7 and 2 get contributions.
        let slots = Slots::new(&of(&[7, 2, 7, 7], 2, 9), None, 2, 2).expect("it is small");
        assert_eq!((slots.count(9), slots.targets), (2, Some(vec![2, 7])));
        assert_eq!((slots.starts, slots.list), (vec![0, 3], vec![1 << 31, 0, NONE, 1, NONE, 1 | 1 << 31]));
        let none = Slots::new(&of(&[], 2, 3), None, 0, 2).expect("it is empty");
        assert_eq!((none.starts, none.list), (vec![0], vec![]));
    }

    #[test]
    fn words_have_room_for_elements_and_numbers() {
        assert_eq!([1, 2, 3, 4, 5, 8].map(element_bits), [32, 31, 30, 30, 29, 29]);
        // Eight targets leave room for elements below 2^29 - 1.
        let entries = vec![0; 8];
        assert_eq!(Slots::new(&of(&entries, 8, 1), None, 1, 32).expect("it is small").list.len(), 8 * 32);
    }

    /// One of three targets gets all contributions but two.
    #[test]
    fn lists_need_memory_for_empty_words() {
        let entries: Vec<u32> = (0..1000_u32).map(|e| e.saturating_sub(997)).collect();
        let cover = of(&entries, 1, 3);
        let words = 32 * 998;
        let new = || Slots::new(&cover, None, 1000, 32).map(|slots| slots.list.len());
        assert_eq!(new(), Ok(words));
        assert_eq!(room::tests::limited(4 * words as u128 - 1, new), Err(4 * words as u128));
    }

    #[test]
    fn lists_that_are_mostly_empty_are_not_dense() {
        let is_dense = |n: u32, targets: u32| {
            let entries: Vec<u32> = (0..n).map(|e| e % targets).collect();
            Slots::dense(&of(&entries, 1, targets as usize), None, n as usize, 32).is_some()
        };
        assert!(is_dense(1 << 15, 1), "a short list");
        assert!(!is_dense(1 << 17, 1), "32 words for each contribution");
        assert!(is_dense(1 << 17, 4), "eight words");
        assert!(is_dense(1 << 17, 1 << 15), "one word");
    }
}
