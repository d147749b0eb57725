//! How work and memory are divided among workers.

use std::ops::Range;

/// The part of `0..n` that is the worker's: parts are contiguous and in the order of the workers, and differ by one at most.
/// Blocks of loops and pages of data are divided alike, so that a worker meets data again that it has in its cache, and on
/// machines of several nodes in the memory that is near it.
pub(crate) fn share(n: usize, worker: usize, workers: usize) -> Range<usize> {
    let start = |worker: usize| (n as u128 * worker as u128 / workers as u128) as usize;
    start(worker)..start(worker + 1)
}
