//! A loop's bodies with their partial results behind one interface without types of the loop: the rest of a call is compiled
//! once, and not for every loop.

use crate::exec::body::{Body, Course, Results};
use std::cell::UnsafeCell;
use std::ops::Range;

/// The elements of a loop as work, and what it reduces in each block.
pub(crate) trait Work: Sync {
    /// Bytes that are kept for a block.
    fn bytes_per_block(&self) -> usize;

    /// Starts anew, with room for the partial results of `blocks` blocks.
    fn begin(&mut self, blocks: usize);

    /// Runs the next positions of a block.
    ///
    /// # Safety
    /// No other thread runs positions of this block meanwhile.
    unsafe fn run(&self, block: usize, positions: Range<usize>, course: Course<'_>);

    /// Combines the partial results in the order of blocks, so that they do not depend on the threads, and hands them to the
    /// globals.
    fn end(&mut self, results: &mut Results<'_>);
}

/// Bodies, with the partial result of each block.
pub(crate) struct WithParts<B: Body> {
    body: B,
    /// The first block, so that a loop in one block allocates nothing.
    first: Slot<B::Part>,
    /// All others; none if the bodies reduce nothing.
    others: Vec<Slot<B::Part>>,
}

/// The partial result of a block; `None` before its first position.
struct Slot<P>(UnsafeCell<Option<P>>);

// SAFETY: a slot is accessed by `Work::run` for its block alone, and by its contract on one thread at a time.
unsafe impl<P: Send> Sync for Slot<P> {}

impl<P> Slot<P> {
    const fn new() -> Self {
        Slot(UnsafeCell::new(None))
    }
}

impl<B: Body> WithParts<B> {
    const REDUCES: bool = size_of::<B::Part>() > 0;

    pub(crate) fn new(body: B) -> Self {
        WithParts { body, first: Slot::new(), others: Vec::new() }
    }
}

impl<B: Body> Work for WithParts<B> {
    fn bytes_per_block(&self) -> usize {
        if Self::REDUCES { size_of::<Slot<B::Part>>() } else { 0 }
    }

    fn begin(&mut self, blocks: usize) {
        if const { Self::REDUCES } {
            self.first = Slot::new();
            self.others.clear();
            self.others.resize_with(blocks.saturating_sub(1), Slot::new);
        }
    }

    unsafe fn run(&self, block: usize, positions: Range<usize>, course: Course<'_>) {
        if const { !Self::REDUCES } {
            self.body.run(positions, course, self.body.start());
            return;
        }
        let slot = if block == 0 { &self.first } else { &self.others[block - 1] };
        // SAFETY: by the contract nothing else accesses the slot.
        let slot = unsafe { &mut *slot.0.get() };
        let part = slot.take().unwrap_or_else(|| self.body.start());
        *slot = Some(self.body.run(positions, course, part));
    }

    fn end(&mut self, results: &mut Results<'_>) {
        let mut total = self.first.0.get_mut().take();
        for slot in &mut self.others {
            match (&mut total, slot.0.get_mut()) {
                (Some(total), Some(part)) => self.body.absorb(total, part),
                (None, part) => total = part.take(),
                (Some(_), None) => {}
            }
        }
        self.body.finish(results, &total.unwrap_or_else(|| self.body.start()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::Layout;
    use crate::isa::Isa;
    use crate::mesh::Mesh;
    use std::sync::Mutex;

    const COURSE: Course<'static> = Course {
        layout: Some(Layout::Aos),
        list: None,
        form: None,
        isa: Isa::Scalar,
        streams: 0,
        ahead: None,
        redirected: None,
    };

    /// Lists positions, and hands the lists over in the end.
    struct Lists<'a>(&'a Mutex<Vec<Vec<usize>>>);

    impl Body for Lists<'_> {
        type Part = Vec<usize>;
        fn start(&self) -> Vec<usize> {
            Vec::new()
        }
        fn run(&self, positions: Range<usize>, _: Course<'_>, part: Vec<usize>) -> Vec<usize> {
            part.into_iter().chain(positions).collect()
        }
        fn absorb(&self, total: &mut Vec<usize>, part: &Vec<usize>) {
            total.extend(part);
        }
        fn finish(&self, _: &mut Results<'_>, total: &Vec<usize>) {
            self.0.lock().expect("no test panics").push(total.clone());
        }
    }

    #[test]
    fn blocks_continue_their_parts_and_are_combined_in_order() {
        let found = Mutex::new(Vec::new());
        let mut work = WithParts::new(Lists(&found));
        let mut mesh = Mesh::new();
        // Block 2 runs nothing, the others in no order and block 0 in two pieces; then once more in one block, and in none.
        for (blocks, pieces) in [(4, &[(3, 30), (0, 0), (1, 10), (0, 2)][..]), (1, &[(0, 5)]), (4, &[])] {
            work.begin(blocks);
            for &(block, start) in pieces {
                // SAFETY: nothing else runs.
                unsafe { work.run(block, start..start + 2, COURSE) };
            }
            work.end(&mut Results::of(&mut mesh));
        }
        let expected = [vec![0, 1, 2, 3, 10, 11, 30, 31], vec![5, 6], vec![]];
        assert_eq!(*found.lock().expect("no test panics"), expected);
    }
}
