//! Divides work and memory among workers.

use std::ops::Range;

/// The share of `0..n` that belongs to a worker. Shares are contiguous, in the order of the workers, and differ by at
/// most one. Blocks of loops and pages of data are divided alike, so that a worker finds its data in its cache, and on
/// machines with several nodes in its node's memory.
pub(crate) fn share(n: usize, worker: usize, workers: usize) -> Range<usize> {
    let start = |worker: usize| (n as u128 * worker as u128 / workers as u128) as usize;
    start(worker)..start(worker + 1)
}
