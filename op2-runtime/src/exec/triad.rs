//! Measures the bandwidth of a machine, to compare loops with.

use crate::data::memory::Memory;
use crate::data::tasks;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Elements per array: 64 MiB each, so that the three arrays exceed the caches of current machines.
const LARGE: usize = 8 << 20;
/// Elements per array if memory is short.
const SMALL: usize = 1 << 20;
/// Repetitions, of which the best counts.
const REPETITIONS: usize = 10;
/// Bytes per element: two loads and a store. The load of the stored line (write-allocate) does not count, as in STREAM.
const BYTES: usize = 24;

/// The bandwidth by these threads, measured once in a process for each number of threads: it belongs to the machine. Where memory
/// was too short to measure it, the next call tries again.
pub(crate) fn bandwidth(pool: Option<&rayon_core::ThreadPool>) -> f64 {
    static KNOWN: Mutex<Vec<(usize, f64)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let threads = pool.map_or(0, rayon_core::ThreadPool::current_num_threads);
    if let Some(&(_, gb_per_s)) = known.iter().find(|(by, _)| *by == threads) {
        return gb_per_s;
    }
    let gb_per_s = triad(pool);
    if gb_per_s > 0.0 {
        known.push((threads, gb_per_s));
    }
    gb_per_s
}

/// Bandwidth of `a[i] = b[i] + s * c[i]` on three arrays of 64 MiB, in GB/s (1e9 bytes): the best
/// of ten repetitions, with 24 bytes counted per element. On the threads of `pool`, or on the
/// calling thread alone.
///
/// The operation is that of McCalpin's STREAM benchmark (1995). If the system lacks 192 MiB, arrays of 8 MiB are used,
/// and the result may be that of a cache; 0 if even these are not available.
fn triad(pool: Option<&rayon_core::ThreadPool>) -> f64 {
    let arrays = |n| Some([array(n, 0.0, pool)?, array(n, 1.0, pool)?, array(n, 2.0, pool)?]);
    let Some([mut a, b, c]) = arrays(LARGE).or_else(|| arrays(SMALL)) else {
        return 0.0;
    };
    let n = a.len();
    let seconds = match pool {
        None => best(|s| add(&mut a, &b, &c, s)),
        Some(pool) => tasks::install(pool, || {
            let piece = n.div_ceil(pool.current_num_threads());
            let inputs = || b.chunks(piece).zip(c.chunks(piece));
            best(|s| tasks::for_each_of(a.chunks_mut(piece).zip(inputs()), |_, (a, (b, c))| add(a, b, c, s)))
        }),
    };
    (n * BYTES) as f64 / seconds / 1e9
}

/// An array of `n` times `value`, in the same kind of memory as dats, so that bandwidths are comparable. `None` without
/// memory.
fn array(n: usize, value: f64, pool: Option<&rayon_core::ThreadPool>) -> Option<Memory<f64>> {
    let mut array = Memory::try_zeroed(n, 1, pool)?;
    array.fill(value);
    Some(array)
}

/// The least time of several runs, in seconds. A first run is not counted.
fn best(mut run: impl FnMut(f64)) -> f64 {
    run(black_box(0.5));
    let timed = |_| {
        let start = Instant::now();
        run(black_box(0.5));
        start.elapsed().as_secs_f64()
    };
    (0..REPETITIONS).map(timed).fold(f64::INFINITY, f64::min)
}

fn add(a: &mut [f64], b: &[f64], c: &[f64], s: f64) {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = b + s * c;
    }
    // The compiler must assume that `a` is read, so it keeps the stores.
    black_box(a);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrays_hold_the_triad() {
        let (mut a, b, c) = (vec![0.0; 5], vec![1.0; 5], vec![2.0, 4.0, 6.0, 8.0, 10.0]);
        add(&mut a, &b, &c, 0.5);
        assert_eq!(a, [2.0, 3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn bandwidth_is_that_of_a_computer() {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads");
        for pool in [None, Some(&pool)] {
            let gb_per_s = bandwidth(pool);
            assert!((0.05..20_000.0).contains(&gb_per_s), "{gb_per_s}");
            assert_eq!(bandwidth(pool).to_bits(), gb_per_s.to_bits(), "measured twice");
        }
    }
}
