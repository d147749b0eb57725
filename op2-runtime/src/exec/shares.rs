//! Divides blocks among workers.

use crate::data::share::share;
use crate::data::tasks;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The blocks of a colour, divided among the workers of a pool. Each runs its own share from the front. A worker that
/// is done takes single blocks from the far end of other shares.
pub(super) struct Shares(Vec<Left>);

/// The remaining part of a worker's share: its first block in the low half, its end in the high half. Aligned to two
/// cache lines, since processors fetch lines in pairs, and counters in one pair would share them falsely.
#[repr(align(128))]
struct Left(AtomicU64);

impl Shares {
    /// Empty shares for `workers` workers.
    pub(super) fn new(workers: usize) -> Self {
        Shares((0..workers).map(|_| Left(AtomicU64::new(0))).collect())
    }

    /// Calls `run` for all of `blocks`, on the workers of the current pool. Returns when all are done.
    pub(super) fn run(&mut self, blocks: &[u32], run: &(dyn Fn(u32) + Sync)) {
        if let [block] = *blocks {
            return run(block);
        }
        let workers = self.0.len();
        for (worker, left) in self.0.iter_mut().enumerate() {
            let Range { start, end } = share(blocks.len(), worker, workers);
            *left.0.get_mut() = pack(start, end);
        }
        // One task per worker, but no more than there are blocks: each may wake a thread. If a worker does not wake up in
        // time, another runs its task as well and finds nothing left. rayon's `broadcast` would wait for every worker to
        // wake up, which takes long beside other programs, and a barrier that spins even longer.
        tasks::for_each(workers.min(blocks.len()), &|task| {
            let own = rayon_core::current_thread_index().unwrap_or(task) % workers;
            while let Some(block) = self.0[own].first() {
                run(blocks[block]);
            }
            for other in (own + 1..workers).chain(0..own) {
                while let Some(block) = self.0[other].last() {
                    run(blocks[block]);
                }
            }
        });
    }
}

impl Left {
    /// Takes the first block.
    fn first(&self) -> Option<usize> {
        self.take(|start, end| pack(start + 1, end)).map(|left| left.start)
    }

    /// Takes the last block.
    fn last(&self) -> Option<usize> {
        self.take(|start, end| pack(start, end - 1)).map(|left| left.end - 1)
    }

    /// The remaining blocks before the update by `less`; `None` if there were none.
    fn take(&self, less: impl Fn(usize, usize) -> u64) -> Option<Range<usize>> {
        let less = |left| {
            let Range { start, end } = unpack(left);
            (start < end).then(|| less(start, end))
        };
        // Relaxed, since the counter orders nothing else: the start and the end of tasks publish the blocks and their
        // results.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok().map(unpack)
    }
}

fn pack(start: usize, end: usize) -> u64 {
    start as u64 | (end as u64) << 32
}

fn unpack(left: u64) -> Range<usize> {
    left as u32 as usize..(left >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::time::{Duration, Instant};

    fn pool(workers: usize) -> rayon_core::ThreadPool {
        rayon_core::ThreadPoolBuilder::new().num_threads(workers).build().expect("threads for a test")
    }

    #[test]
    fn shares_are_even_and_in_order() {
        for (n, workers) in [(0, 3), (1, 3), (2, 3), (10, 3), (64, 7), (usize::MAX, 2)] {
            let shares: Vec<_> = (0..workers).map(|worker| share(n, worker, workers)).collect();
            assert_eq!((shares[0].start, shares[workers - 1].end), (0, n));
            assert!(shares.windows(2).all(|pair| pair[0].end == pair[1].start), "{n} for {workers}: {shares:?}");
            let lengths = || shares.iter().map(|share| share.end - share.start);
            assert!(lengths().max() <= lengths().min().map(|least| least + 1), "{n} for {workers}: {shares:?}");
        }
    }

    #[test]
    fn every_block_runs_once() {
        for workers in [2, 3, 5] {
            let mut shares = Shares::new(workers);
            for n in [0, 1, 2, 3, 4, 17, 1000] {
                let blocks: Vec<u32> = (0..n).rev().collect();
                let runs: Vec<_> = (0..n).map(|_| AtomicUsize::new(0)).collect();
                pool(workers).install(|| {
                    let run = |block: u32| _ = runs[block as usize].fetch_add(1, Ordering::Relaxed);
                    shares.run(&blocks, &run);
                });
                assert!(runs.iter().all(|n| n.load(Ordering::Relaxed) == 1), "{n} blocks, {workers} workers");
            }
        }
    }

    #[test]
    fn workers_begin_with_their_own_blocks_every_time() {
        const WORKERS: usize = 3;
        let pool = pool(WORKERS);
        let mut shares = Shares::new(WORKERS);
        for round in 0..20 {
            let here = AtomicUsize::new(0);
            let by: Vec<AtomicUsize> = (0..9).map(|_| AtomicUsize::new(usize::MAX)).collect();
            let run = |block: u32| {
                by[block as usize].store(rayon_core::current_thread_index().expect("a worker"), Ordering::Relaxed);
                // No worker goes on before all have begun, so that none is done early and helps.
                here.fetch_add(1, Ordering::AcqRel);
                let start = Instant::now();
                while here.load(Ordering::Acquire) < WORKERS && start.elapsed() < Duration::from_secs(20) {
                    std::thread::yield_now();
                }
            };
            pool.install(|| shares.run(&[0, 1, 2, 3, 4, 5, 6, 7, 8], &run));
            let first = [0, 3, 6].map(|block: usize| by[block].load(Ordering::Relaxed));
            assert_eq!(first, [0, 1, 2], "round {round}");
        }
    }

    #[test]
    fn who_is_done_helps_from_the_far_end() {
        let left = Left(AtomicU64::new(pack(4, 7)));
        assert_eq!(
            [left.first(), left.last(), left.first(), left.first(), left.last()],
            [Some(4), Some(6), Some(5), None, None]
        );
    }
}
