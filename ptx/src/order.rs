//! What orders accesses of threads besides the barriers of a block: barriers of a warp, and fences with what is read and written at once.
//!
//! A thread releases what it knows by a fence and a write behind it that happens at once, as an atomic does. Another one that reads what
//! was written, or what later atomics made of it, and has a fence behind, knows it from then on. Barriers of the block hand on what threads
//! know. This is the causality order of PTX's memory model, except that a write in shared memory releases nothing.

use crate::types::LANES;
use std::collections::HashMap;

/// A moment of a thread.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Once {
    pub(crate) block: u32,
    pub(crate) thread: u32,
    /// Barriers that the block has passed.
    pub(crate) phase: u32,
    /// Fences and barriers of its warp that the thread has passed.
    pub(crate) epoch: u32,
    /// Whether the access was atomic or volatile, for threads of its block or for all.
    pub(crate) at_once: bool,
    pub(crate) in_block: bool,
}

/// How an access is ordered with those of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By barriers and fences alone.
    Plain,
    /// The memory does not change during the launch.
    Constant,
    /// At once: atomic, or volatile.
    AtOnce,
    /// At once for the threads of a block.
    InBlock,
}

/// What threads of a launch know of each other's accesses. Blocks run one after the other.
#[derive(Default)]
pub(crate) struct Past {
    block: u32,
    phase: u32,
    threads: Vec<Thread>,
    /// Whether a thread of the block has passed a fence or a barrier of its warp.
    is_used: bool,
    /// What all threads of the block know: numbers of writes.
    known: Vec<usize>,
    /// Writes that release.
    writes: Vec<Write>,
    /// The last one at an address.
    last: HashMap<u64, usize>,
}

#[derive(Clone, Default)]
struct Thread {
    epoch: u32,
    /// The epochs of lanes of its warp up to which it knows what they did.
    lanes: [u32; LANES],
    /// What it releases when it next writes at once.
    released: Option<Released>,
    /// Writes that it has read, but without a fence behind, and those that it knows.
    read: Vec<usize>,
    known: Vec<usize>,
}

/// All that a thread knew of its block at a fence.
#[derive(Clone)]
struct Released {
    block: u32,
    phase: u32,
    warp: u32,
    lanes: [u32; LANES],
}

struct Write {
    released: Released,
    /// Writes that are known with it: the one that an atomic replaced, and what the thread knew.
    with: Vec<usize>,
}

const fn warp(thread: u32) -> u32 {
    thread / LANES as u32
}

const fn lane(thread: u32) -> usize {
    thread as usize % LANES
}

impl Past {
    /// The next block begins.
    pub(crate) fn begin(&mut self, block: u32, threads: u32) {
        (self.block, self.phase) = (block, 0);
        if self.is_used || self.threads.len() != threads as usize {
            self.threads.clear();
            self.threads.resize(threads as usize, Thread::default());
        }
        self.is_used = false;
        self.known.clear();
    }

    pub(crate) fn phase(&self) -> u32 {
        self.phase
    }

    pub(crate) fn epoch(&self, thread: u32) -> u32 {
        if self.is_used { self.threads[thread as usize].epoch } else { 0 }
    }

    /// All threads of the block have met.
    pub(crate) fn barrier(&mut self) {
        self.phase += 1;
        if self.is_used {
            for thread in &mut self.threads {
                for write in thread.known.drain(..) {
                    add(&mut self.known, write);
                }
            }
        }
    }

    /// The lanes of a mask have met.
    pub(crate) fn barrier_of_lanes(&mut self, first: u32, mask: u32) {
        self.is_used = true;
        let lanes = || (0..LANES).filter(|lane| mask >> lane & 1 == 1);
        let (mut joined, mut known) = ([0; LANES], Vec::new());
        for lane in lanes() {
            let thread = &mut self.threads[first as usize + lane];
            thread.epoch += 1;
            thread.lanes[lane] = thread.epoch;
            joined.iter_mut().zip(thread.lanes).for_each(|(all, one)| *all = one.max(*all));
            thread.known.iter().for_each(|write| add(&mut known, *write));
        }
        for lane in lanes() {
            let thread = &mut self.threads[first as usize + lane];
            (thread.lanes, thread.known) = (joined, known.clone());
        }
    }

    /// A fence for threads of all blocks: what the thread has read before counts as known, and what it writes behind it releases.
    pub(crate) fn fence(&mut self, number: u32, [acquires, releases]: [bool; 2]) {
        self.is_used = true;
        let (block, phase) = (self.block, self.phase);
        let thread = &mut self.threads[number as usize];
        if acquires {
            for write in std::mem::take(&mut thread.read) {
                add(&mut thread.known, write);
            }
        }
        if releases {
            thread.epoch += 1;
            thread.lanes[lane(number)] = thread.epoch;
            thread.released = Some(Released { block, phase, warp: warp(number), lanes: thread.lanes });
        }
    }

    /// A read of global memory that happens at once.
    pub(crate) fn reads(&mut self, number: u32, address: u64) {
        if let Some(&write) = self.last.get(&address) {
            self.is_used = true;
            add(&mut self.threads[number as usize].read, write);
        }
    }

    /// A write of global memory that happens at once; an atomic also keeps what the one before released.
    pub(crate) fn writes(&mut self, number: u32, address: u64, is_atomic: bool) {
        if self.last.is_empty() && !self.is_used {
            return;
        }
        let thread = &mut self.threads[number as usize];
        let Some(released) = thread.released.clone() else {
            if !is_atomic {
                self.last.remove(&address);
            }
            return;
        };
        thread.epoch += 1;
        let mut with = thread.known.clone();
        self.known.iter().for_each(|write| add(&mut with, *write));
        if is_atomic && let Some(&before) = self.last.get(&address) {
            add(&mut with, before);
        }
        self.writes.push(Write { released, with });
        self.last.insert(address, self.writes.len() - 1);
    }

    /// Whether a thread of the block that runs knows of an access.
    pub(crate) fn has(&self, once: &Once, by: u32) -> bool {
        if !self.is_used {
            return false;
        }
        let thread = &self.threads[by as usize];
        if once.block == self.block && warp(once.thread) == warp(by) && once.epoch < thread.lanes[lane(once.thread)] {
            return true;
        }
        let mut next: Vec<usize> = thread.known.iter().chain(&self.known).copied().collect();
        let mut found = vec![false; if next.is_empty() { 0 } else { self.writes.len() }];
        while let Some(write) = next.pop() {
            if std::mem::replace(&mut found[write], true) {
                continue;
            }
            let Write { released, with } = &self.writes[write];
            if released.has(once) {
                return true;
            }
            next.extend(with);
        }
        false
    }
}

impl Released {
    /// The write itself is known, too, to those who have read it: it has the epoch that the fence began.
    fn has(&self, once: &Once) -> bool {
        let known = self.lanes[lane(once.thread)];
        let of_the_warp = warp(once.thread) == self.warp;
        once.block == self.block
            && (once.phase < self.phase || of_the_warp && (once.epoch < known || once.at_once && once.epoch == known))
    }
}

fn add(to: &mut Vec<usize>, write: usize) {
    if !to.contains(&write) {
        to.push(write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(block: u32, thread: u32, phase: u32, epoch: u32) -> Once {
        Once { block, thread, phase, epoch, at_once: false, in_block: false }
    }

    const COUNTER: u64 = 64;
    const FULL: [bool; 2] = [true; 2];

    /// Blocks of two warps that leave something, count themselves, and meet again.
    fn count(past: &mut Past, block: u32, fences: [bool; 2]) {
        past.begin(block, 64);
        past.barrier();
        if fences[0] {
            past.fence(0, FULL);
        }
        past.reads(0, COUNTER);
        past.writes(0, COUNTER, true);
        if fences[1] {
            past.fence(0, FULL);
        }
        past.barrier();
    }

    #[test]
    fn a_count_between_fences_tells_what_was_before() {
        let mut past = Past::default();
        (0..4).for_each(|block| count(&mut past, block, FULL));
        for block in 0..3 {
            assert!(past.has(&at(block, 40, 0, 0), 7), "before the barrier");
            assert!(past.has(&at(block, 0, 1, 0), 7), "the thread itself before its fence");
            assert!(past.has(&Once { at_once: true, ..at(block, 0, 1, 1) }, 0), "the count");
            assert!(!past.has(&at(block, 0, 1, 1), 7), "between fence and count");
            assert!(!past.has(&at(block, 40, 1, 0), 7), "beside the fence");
            assert!(!past.has(&at(block, 0, 1, 2), 7), "behind");
        }
    }

    #[test]
    fn without_one_of_the_fences_it_tells_nothing() {
        let mut past = Past::default();
        count(&mut past, 0, [false, true]);
        count(&mut past, 1, FULL);
        assert!(!past.has(&at(0, 0, 0, 0), 0));
        let mut past = Past::default();
        count(&mut past, 0, FULL);
        count(&mut past, 1, [true, false]);
        assert!(!past.has(&at(0, 0, 0, 0), 0));
    }

    #[test]
    fn a_store_ends_what_atomics_continue() {
        for is_atomic in [true, false] {
            let mut past = Past::default();
            count(&mut past, 0, FULL);
            past.begin(1, 64);
            past.writes(0, COUNTER, is_atomic);
            past.begin(2, 64);
            past.reads(0, COUNTER);
            past.fence(0, [true, false]);
            assert_eq!(past.has(&at(0, 0, 0, 0), 0), is_atomic);
        }
    }

    #[test]
    fn lanes_that_meet_know_each_other() {
        let mut past = Past::default();
        past.begin(0, 64);
        past.barrier_of_lanes(32, 0b111);
        assert!(past.has(&at(0, 33, 0, 0), 34));
        assert!(!past.has(&at(0, 33, 0, 1), 34), "behind");
        assert!(!past.has(&at(0, 36, 0, 0), 34) && !past.has(&at(0, 33, 0, 0), 36), "lanes that were not there");
        // What one of them knows is released by another.
        past.fence(34, FULL);
        past.writes(34, COUNTER, true);
        past.begin(1, 64);
        past.reads(5, COUNTER);
        past.fence(5, FULL);
        assert!(past.has(&at(0, 33, 0, 0), 5) && !past.has(&at(0, 35, 0, 0), 5));
    }
}
