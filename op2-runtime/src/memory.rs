//! Memory of dats and maps, near the workers that will use it.

use crate::exec::share;
use crate::value::Elem;
use rayon::ThreadPool;
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Memory starts at a multiple of so many bytes, a cache line: so that rows whose size is a power of two, and words of vector
/// instructions, do not lie across two lines.
const LINE: usize = 64;
/// Below so many bytes the caller touches all memory: it is in a cache, wherever it is.
const SMALL: usize = 1 << 20;

/// A fixed number of scalars.
///
/// Operating systems give a page of memory to whoever touches it first: on machines of several nodes it is one of that
/// thread's node. So each worker clears the part that it will use, see [`share`].
pub(crate) struct Memory<E: Elem> {
    first: NonNull<E>,
    len: usize,
}

// SAFETY: it owns its scalars, as a `Vec` does, and they may be sent and shared.
unsafe impl<E: Elem> Send for Memory<E> {}
// SAFETY: as above.
unsafe impl<E: Elem> Sync for Memory<E> {}

impl<E: Elem> Memory<E> {
    /// `len` zeros. They are `runs` runs of equal length, of each of which every worker gets its share: one for rows, a run for
    /// every component where components lie apart.
    pub(crate) fn zeroed(len: usize, runs: usize, workers: Option<&ThreadPool>) -> Self {
        let layout = Self::layout(len);
        if layout.size() == 0 {
            return Memory { first: NonNull::dangling(), len };
        }
        let workers = workers.filter(|_| layout.size() >= SMALL);
        // SAFETY: the size is not 0; zeros are a scalar of every element type.
        let first = unsafe { if workers.is_some() { alloc(layout) } else { alloc_zeroed(layout) } };
        let first = NonNull::new(first.cast::<E>()).unwrap_or_else(|| handle_alloc_error(layout));
        if let Some(workers) = workers {
            clear(first, len, runs, workers);
        }
        Memory { first, len }
    }

    /// Where they are. It stays valid when it is asked for again, as that of a borrowed slice would not.
    pub(crate) fn address(&mut self) -> *mut E {
        self.first.as_ptr()
    }

    fn layout(len: usize) -> Layout {
        let layout = Layout::array::<E>(len).and_then(|layout| layout.align_to(LINE));
        layout.expect("a set has fewer than 2^32 elements, of a few scalars each")
    }
}

impl<E: Elem> Drop for Memory<E> {
    fn drop(&mut self) {
        let layout = Self::layout(self.len);
        if layout.size() > 0 {
            // SAFETY: `zeroed` allocated it with this layout.
            unsafe { dealloc(self.first.as_ptr().cast(), layout) };
        }
    }
}

impl<E: Elem> Deref for Memory<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        // SAFETY: there are `len` scalars, all of which were cleared; without any, an aligned address suffices.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<E: Elem> DerefMut for Memory<E> {
    fn deref_mut(&mut self) -> &mut [E] {
        // SAFETY: as above, and the exclusive borrow is passed on.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

/// An address that workers share.
struct Start<E>(NonNull<E>);

// SAFETY: it is used by `clear` alone, which keeps workers apart.
unsafe impl<E> Sync for Start<E> {}

impl<E> Start<E> {
    fn get(&self) -> *mut E {
        self.0.as_ptr()
    }
}

/// Has every worker clear its shares of memory that nobody has touched yet.
fn clear<E: Elem>(first: NonNull<E>, len: usize, runs: usize, workers: &ThreadPool) {
    let start = Start(first);
    let run = len.div_ceil(runs.max(1));
    workers.broadcast(|worker| {
        for begin in (0..len).step_by(run) {
            let part = share(run.min(len - begin), worker.index(), worker.num_threads());
            // SAFETY: the part lies in the memory that `zeroed` has allocated, and workers have different parts. Zeros are a
            // scalar of every element type.
            unsafe { start.get().add(begin + part.start).write_bytes(0, part.len()) };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(workers: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(workers).build().expect("threads for a test")
    }

    #[test]
    fn all_of_it_is_zero_and_starts_with_a_line() {
        let pool = pool(3);
        for workers in [None, Some(&pool)] {
            for len in [0, 1, 5, SMALL / 4, SMALL / 4 + 7, 1_000_001] {
                for runs in [1, 4, 5] {
                    // What was there before is not zero.
                    Memory::<f32>::zeroed(len, 1, None).fill(f32::NAN);
                    let memory = Memory::<f32>::zeroed(len, runs, workers);
                    assert_eq!(memory.len(), len);
                    assert!(len == 0 || memory.as_ptr().addr().is_multiple_of(LINE));
                    assert!(memory.iter().all(|value| value.to_bits() == 0), "{len} in {runs} runs");
                }
            }
        }
    }

    /// Pages that each worker, and last the calling thread, has been given so far.
    #[cfg(target_os = "linux")]
    fn faults(pool: &ThreadPool) -> Vec<u64> {
        let mine = || -> u64 {
            let text = std::fs::read_to_string("/proc/thread-self/stat").expect("an account of the thread");
            // Behind the name in brackets: state, parent and six more, then the count of faults that needed no file.
            let behind = text.rsplit(')').next().expect("there is text");
            behind.split_whitespace().nth(7).expect("a field").parse().expect("a number")
        };
        let mut all = pool.broadcast(|_| mine());
        all.push(mine());
        all
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn workers_touch_their_shares_first() {
        // More than an allocator keeps for itself, so that the pages are new; in huge pages it would be 32 of them.
        const BYTES: usize = 64 << 20;
        let pool = pool(2);
        for runs in [1, 4] {
            let before = faults(&pool);
            let memory = Memory::<f64>::zeroed(BYTES / 8, runs, Some(&pool));
            let after = faults(&pool);
            let given: Vec<u64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
            assert_eq!(memory.len(), BYTES / 8);
            let [one, two, caller] = given[..] else { panic!("two workers and the caller: {given:?}") };
            let even = one.min(two) * 10 >= one.max(two) * 9;
            assert!(one + two >= 32 && even && caller * 10 <= one + two, "{runs} runs: {given:?}");
        }
    }
}
