//! Greedy colouring with one bit per colour and target.
//!
//! Takes items (blocks or single elements) in their order. Each gets the lowest colour that none of its targets carries
//! yet, and sets its bit in their masks. One pass assigns up to 64 colours; another pass with clean masks colours the
//! remaining items.

use super::route::{Conflicts, Order};
use std::ops::Range;

/// Items to be coloured: item `i` reaches slots, and items of one colour must not share any.
pub(super) trait Items {
    /// Calls `f` with every slot of `item`, repetitions included.
    fn visit(&self, item: usize, f: &mut impl FnMut(usize));
}

/// Single positions.
pub(super) struct Singles<'a> {
    pub(super) conflicts: &'a Conflicts<'a>,
    pub(super) order: Order<'a>,
}

/// Blocks of positions.
pub(super) struct Blocks<'a> {
    pub(super) conflicts: &'a Conflicts<'a>,
    pub(super) order: Order<'a>,
    pub(super) offsets: &'a [u32],
}

impl Items for Singles<'_> {
    #[inline]
    fn visit(&self, item: usize, f: &mut impl FnMut(usize)) {
        self.conflicts.visit_one(self.order.map_or(item, |o| o[item] as usize), f);
    }
}

impl Items for Blocks<'_> {
    #[inline]
    fn visit(&self, item: usize, f: &mut impl FnMut(usize)) {
        let positions = self.offsets[item] as usize..self.offsets[item + 1] as usize;
        self.conflicts.visit(self.order, positions, f);
    }
}

/// Colours per pass: bits of a mask.
const PASS: u32 = u64::BITS;

/// If a pass leaves more than this fraction of its items, some targets are shared by hundreds of items.
const CROWDED: (usize, usize) = (15, 16);

/// The masks. They are reused between runs, because clearing the ones that a block touched is cheaper than allocating.
pub(super) struct Greedy {
    masks: Vec<u64>,
}

impl Greedy {
    /// Room for slots `0..slots`.
    pub(super) fn new(slots: usize) -> Self {
        Greedy { masks: vec![0; slots] }
    }

    /// Colours the items of `range` into `colours[range]`, from colour 0, and returns the number of colours; `None` if
    /// more than `limit` are needed. The masks must be clean before and are dirty after.
    pub(super) fn run<I: Items>(
        &mut self,
        items: &I,
        range: Range<usize>,
        colours: &mut [u32],
        limit: u32,
    ) -> Option<u32> {
        let mut most = 0;
        let mut todo = range.len();
        let mut base = 0;
        let mut left = self.pass(items, range.clone(), colours, (base, limit), &mut most)?;
        while !left.is_empty() {
            self.clear(items, range.clone());
            base += PASS;
            if left.len() * CROWDED.1 > todo * CROWDED.0 {
                self.climb(items, &left, colours, (base, limit), &mut most)?;
                break;
            }
            todo = left.len();
            left = self.pass(items, left.iter().map(|&i| i as usize), colours, (base, limit), &mut most)?;
        }
        Some(most)
    }

    /// Clears the masks of all slots that the items of `range` reach.
    pub(super) fn clear<I: Items>(&mut self, items: &I, range: Range<usize>) {
        if range.len() > self.masks.len() / 2 {
            self.masks.fill(0);
            return;
        }
        for item in range {
            items.visit(item, &mut |slot| self.masks[slot] = 0);
        }
    }

    /// One pass with the colours `base..base + 64`; returns the items that got none.
    fn pass<I: Items>(
        &mut self,
        items: &I,
        todo: impl Iterator<Item = usize>,
        colours: &mut [u32],
        (base, limit): (u32, u32),
        most: &mut u32,
    ) -> Option<Vec<u32>> {
        let masks = &mut self.masks[..];
        let mut left = Vec::new();
        for item in todo {
            let mut taken = 0;
            items.visit(item, &mut |slot| taken |= masks[slot]);
            let free = (!taken).trailing_zeros();
            if base + free >= limit {
                return None;
            }
            if free == PASS {
                left.push(item as u32);
                continue;
            }
            let bit = 1 << free;
            items.visit(item, &mut |slot| masks[slot] |= bit);
            colours[item] = base + free;
            *most = (*most).max(base + free + 1);
        }
        Some(left)
    }

    /// Colours `left` by colours that only rise along each target, for maps that lead nearly every element to a few
    /// targets. Such maps need about as many colours as items, and passes of 64 would take quadratic time. The masks
    /// hold the next colour of each target.
    fn climb<I: Items>(
        &mut self,
        items: &I,
        left: &[u32],
        colours: &mut [u32],
        (base, limit): (u32, u32),
        most: &mut u32,
    ) -> Option<()> {
        let next = &mut self.masks[..];
        for &item in left {
            let mut colour = 0;
            items.visit(item as usize, &mut |slot| colour = colour.max(next[slot]));
            let found = base + colour as u32;
            if found >= limit {
                return None;
            }
            items.visit(item as usize, &mut |slot| next[slot] = colour + 1);
            colours[item as usize] = found;
            *most = (*most).max(found + 1);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Items that all reach one target, with a count of visits.
    struct Crowd {
        visits: Cell<usize>,
    }

    impl Items for Crowd {
        fn visit(&self, _: usize, f: &mut impl FnMut(usize)) {
            self.visits.set(self.visits.get() + 1);
            f(0);
        }
    }

    #[test]
    fn a_crowd_at_one_target_is_looked_at_a_few_times() {
        for n in [100, 10_000, 300_000] {
            let crowd = Crowd { visits: Cell::new(0) };
            let mut colours = vec![0; n];
            assert_eq!(Greedy::new(1).run(&crowd, 0..n, &mut colours, u32::MAX), Some(n as u32));
            assert!(colours.iter().enumerate().all(|(item, &colour)| colour as usize == item));
            // Passes of 64 colours would visit each item n / 64 times.
            assert!(crowd.visits.get() <= 4 * n, "{} looks at {n} items", crowd.visits.get());
        }
    }
}
