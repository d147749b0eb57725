//! Order between the blocks of a launch: a thread that changes a scalar atomically behind a fence releases what its block has done, and a
//! thread that changes the same scalar later acquires it by a fence behind that. So the last block of a reduction may read what the
//! others have left.

use super::who::Who;
use std::collections::HashMap;

/// Fences and atomics of one launch so far.
#[derive(Default)]
pub(super) struct Fences {
    /// By address: the blocks that have released there, each with thread and time.
    released: HashMap<u64, Vec<Who>>,
    /// Threads of the current block that have passed a fence.
    fenced: Vec<u32>,
    /// Addresses with releases that a thread of the current block has changed since, with the thread.
    met: Vec<(u32, u64)>,
    /// The current block's knowledge of earlier ones: when they released it, and when it was acquired.
    known: HashMap<u32, (Who, Who)>,
}

impl Fences {
    /// Begins another block.
    pub(super) fn begin_block(&mut self) {
        self.fenced.clear();
        self.met.clear();
        self.known.clear();
    }

    /// Notes a fence.
    pub(super) fn fence(&mut self, who: Who) {
        for (_, address) in self.met.extract_if(.., |(thread, _)| *thread == who.thread()) {
            let releases = self.released.get(&address).into_iter().flatten();
            self.known.extend(releases.map(|release| (release.block, (*release, who))));
        }
        if !self.fenced.contains(&who.thread()) {
            self.fenced.push(who.thread());
        }
    }

    /// Notes an atomic operation.
    pub(super) fn atomic(&mut self, address: u64, who: Who) {
        if self.released.contains_key(&address) {
            self.met.push((who.thread(), address));
        }
        if self.fenced.contains(&who.thread()) {
            self.released.entry(address).or_default().push(who);
        }
    }

    /// Whether an access of an earlier block is over before one of the current block.
    pub(super) fn order(&self, earlier: Who, now: Who) -> bool {
        self.known.get(&earlier.block).is_some_and(|(released, acquired)| {
            let before = |a: Who, b: Who| a.barriers() < b.barriers() || a.is_same_moment(b);
            before(earlier, *released) && before(*acquired, now)
        })
    }
}
