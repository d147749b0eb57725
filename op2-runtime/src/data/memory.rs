//! Memory of dats and maps, placed near the workers that use it.

use crate::data::share::share;
use crate::data::value::Elem;
use crate::data::{parts, room};
use crate::error::Result;
use rayon_core::ThreadPool;
use std::alloc::{Layout, alloc, dealloc};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

mod pages;

use pages::{LARGE_PAGE, SMALL_PAGE};

/// Bytes of a cache line. Memory is aligned to one, so that neither rows whose size is a power of two nor the words of
/// vector instructions cross a line. Allocators put large arrays 16 bytes behind the start of a line, where words of 512 bits
/// are read much more slowly from a cache.
pub(crate) const LINE: usize = 64;
/// Below this many bytes the calling thread touches all memory, since it fits into a cache anyway.
const SMALL: usize = 1 << 20;

/// A number of scalars, and room for more of them.
///
/// Operating systems place a page in the memory of the node whose thread touches it first. So each worker touches the
/// part that it will use, see [`share`].
///
/// If every worker's part fills a large page, large pages are requested: loops that alternate between many arrays would
/// otherwise miss in the TLB. Triad is measured in the same memory.
pub(crate) struct Memory<E: Elem> {
    first: NonNull<E>,
    len: usize,
    /// Scalars that are allocated, all of which have a value.
    room: usize,
}

// SAFETY: it owns its scalars, as a `Vec` does, and scalars may be sent and shared.
unsafe impl<E: Elem> Send for Memory<E> {}
// SAFETY: as above.
unsafe impl<E: Elem> Sync for Memory<E> {}

impl<E: Elem> Memory<E> {
    /// `len` zeros in `runs` runs of equal length, each of which is shared among the workers: one run for rows, or one
    /// for every component where components are separate.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), with the purpose of the memory.
    pub(crate) fn zeroed(
        what: impl FnOnce() -> String,
        len: u128,
        runs: usize,
        workers: Option<&ThreadPool>,
    ) -> Result<Self> {
        let bytes = len * size_of::<E>() as u128;
        let len = usize::try_from(len).ok().filter(|_| room::allows(bytes));
        len.and_then(|len| Self::try_zeroed(len, runs, workers)).ok_or_else(|| room::missing(what(), bytes))
    }

    /// The same, `None` if the system lacks the memory.
    pub(crate) fn try_zeroed(len: usize, runs: usize, workers: Option<&ThreadPool>) -> Option<Self> {
        let layout = Self::layout(len)?;
        if layout.size() == 0 {
            return Some(Memory { first: NonNull::dangling(), len, room: len });
        }
        if pages::provide(layout.size()) {
            let memory = Self::untouched(len, runs, workers)?;
            if let Some(workers) = workers {
                touch(memory.first, len, runs, workers, SMALL_PAGE / size_of::<E>());
            }
            return Some(memory);
        }
        // SAFETY: the size is not 0.
        let first = NonNull::new(unsafe { alloc(layout) })?.cast();
        match workers.filter(|_| layout.size() >= SMALL) {
            Some(workers) => touch(first, len, runs, workers, 1),
            // SAFETY: there are so many scalars; zeros are one of every element type.
            None => unsafe { first.write_bytes(0, len) },
        }
        Some(Memory { first, len, room: len })
    }

    /// Makes room for `len` scalars in one run, and for half as many again as there were, so that repeated growth moves each scalar a
    /// few times at most. The scalars stay as they are.
    ///
    /// # Errors
    /// As [`Memory::zeroed`]; nothing has changed then.
    pub(crate) fn reserve(&mut self, what: impl Fn() -> String, len: u128, workers: Option<&ThreadPool>) -> Result<()> {
        if len <= self.room as u128 {
            return Ok(());
        }
        let generous = self.reserve_exact(&what, len.max(with_spare(self.room)), workers);
        generous.or_else(|_| self.reserve_exact(what, len, workers))
    }

    /// The same for no more than `len` scalars. All new ones are zero.
    ///
    /// # Errors
    /// As [`Memory::zeroed`]; nothing has changed then.
    pub(crate) fn reserve_exact(
        &mut self,
        what: impl Fn() -> String,
        len: u128,
        workers: Option<&ThreadPool>,
    ) -> Result<()> {
        if len <= self.room as u128 {
            return Ok(());
        }
        let bytes = len * size_of::<E>() as u128;
        let len = usize::try_from(len).ok().filter(|_| room::allows(bytes));
        let made = len.and_then(|len| if self.extend(len, workers) { Some(()) } else { self.replace(len, workers) });
        made.ok_or_else(|| room::missing(what(), bytes))
    }

    /// Makes room for `len` scalars by more pages. Says whether there are any.
    fn extend(&mut self, len: usize, workers: Option<&ThreadPool>) -> bool {
        let [Some(old), Some(new)] = [self.room, len].map(Self::layout) else { return false };
        if !pages::provide(old.size()) {
            return false;
        }
        // SAFETY: the memory consists of these pages, since it is so large, and the exclusive borrow says that nobody has their address.
        let Some(first) = (unsafe { pages::grow(self.first.cast(), old.size(), new.size()) }) else { return false };
        (self.first, self.room) = (first.cast(), len);
        self.enlarge(1, workers);
        true
    }

    /// Moves all to memory for `len` scalars. `None` if the system lacks it.
    fn replace(&mut self, len: usize, workers: Option<&ThreadPool>) -> Option<()> {
        let large = Self::layout(len).is_some_and(|layout| pages::provide(layout.size()));
        let mut new = if large { Self::untouched(len, 1, workers)? } else { Self::try_zeroed(len, 1, workers)? };
        new.len = self.len;
        parts::copy(self, &mut new);
        *self = new;
        Some(())
    }

    /// `len` zeros in `runs` runs, in pages that nobody has touched.
    fn untouched(len: usize, runs: usize, workers: Option<&ThreadPool>) -> Option<Self> {
        let first = pages::take(Self::layout(len)?.size())?;
        let mut memory = Memory { first: first.cast(), len, room: len };
        memory.enlarge(runs, workers);
        Some(memory)
    }

    /// Requests large pages for the room, which `runs` runs share, if every worker's part of each run fills one.
    fn enlarge(&mut self, runs: usize, workers: Option<&ThreadPool>) {
        let bytes = self.room * size_of::<E>();
        let count = workers.map_or(1, ThreadPool::current_num_threads);
        if pages::provide(bytes) && bytes >= runs.max(1) * count * LARGE_PAGE {
            // SAFETY: the memory consists of these pages, since it is so large.
            unsafe { pages::enlarge(self.first.cast(), bytes) };
        }
    }

    /// Changes the number of scalars. New ones have any values.
    ///
    /// # Panics
    /// If there is no room for them.
    pub(crate) fn set_len(&mut self, len: usize) {
        assert!(len <= self.room, "there is room for {} scalars, not for {len}", self.room);
        self.len = len;
    }

    /// The address of the scalars. Unlike that of a borrowed slice it stays valid when it is requested again.
    pub(crate) fn address(&mut self) -> *mut E {
        self.first.as_ptr()
    }

    /// `None` if the size exceeds the address space.
    fn layout(len: usize) -> Option<Layout> {
        Layout::array::<E>(len).and_then(|layout| layout.align_to(LINE)).ok()
    }
}

impl<E: Elem> Drop for Memory<E> {
    fn drop(&mut self) {
        let Some(layout) = Self::layout(self.room).filter(|layout| layout.size() > 0) else { return };
        if pages::provide(layout.size()) {
            // SAFETY: the memory consists of these pages, since it is so large.
            unsafe { pages::give_back(self.first.cast(), layout.size()) };
        } else {
            // SAFETY: `try_zeroed` allocated it with this layout.
            unsafe { dealloc(self.first.as_ptr().cast(), layout) };
        }
    }
}

impl<E: Elem> Deref for Memory<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        // SAFETY: there are `len` scalars, all of which were cleared when there was room for them; without any, an aligned address suffices.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<E: Elem> DerefMut for Memory<E> {
    fn deref_mut(&mut self) -> &mut [E] {
        // SAFETY: as above, and the exclusive borrow is passed on.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

/// Room for half as many again.
pub(crate) fn with_spare(room: usize) -> u128 {
    room as u128 + room as u128 / 2
}

/// An address shared by workers.
struct Start<E>(NonNull<E>);

// SAFETY: only `touch` uses it, and gives every worker a different part.
unsafe impl<E> Sync for Start<E> {}

impl<E> Start<E> {
    fn get(&self) -> *mut E {
        self.0.as_ptr()
    }
}

/// Makes every worker clear its shares of fresh memory: every scalar, or, where all are zero, one in so many.
fn touch<E: Elem>(first: NonNull<E>, len: usize, runs: usize, workers: &ThreadPool, one_in: usize) {
    let start = Start(first);
    for_shares(len, runs, workers, &|part| {
        // SAFETY: the part lies in memory that `try_zeroed` has allocated, and workers have different parts. Zeros are
        // a scalar of every element type.
        unsafe {
            match one_in {
                1 => start.get().add(part.start).write_bytes(0, part.len()),
                _ => part.step_by(one_in).for_each(|n| start.get().add(n).write_volatile(E::default())),
            }
        }
    });
}

/// Calls `touch` on every worker, with its share of each run.
fn for_shares(len: usize, runs: usize, workers: &ThreadPool, touch: &(dyn Fn(Range<usize>) + Sync)) {
    let run = len.div_ceil(runs.max(1));
    workers.broadcast(|worker| {
        for begin in (0..len).step_by(run.max(1)) {
            let part = share(run.min(len - begin), worker.index(), worker.num_threads());
            touch(begin + part.start..begin + part.end);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn pool(workers: usize) -> ThreadPool {
        rayon_core::ThreadPoolBuilder::new().num_threads(workers).build().expect("threads for a test")
    }

    #[test]
    fn all_of_it_is_zero_and_starts_with_a_line() {
        let pool = pool(3);
        for workers in [None, Some(&pool)] {
            for len in [0, 1, 5, SMALL / 4, SMALL / 4 + 7, 1_000_001] {
                for runs in [1, 4, 5] {
                    // Fills memory that the next allocation may reuse, so that zeros are not there by accident.
                    Memory::<f32>::try_zeroed(len, 1, None).unwrap().fill(f32::NAN);
                    let memory = Memory::<f32>::try_zeroed(len, runs, workers).unwrap();
                    assert_eq!(memory.len(), len);
                    assert!(len == 0 || memory.as_ptr().addr().is_multiple_of(LINE));
                    assert!(memory.iter().all(|value| value.to_bits() == 0), "{len} in {runs} runs");
                }
            }
        }
    }

    /// Whether large pages are requested for the memory at this address; `None` if the system has none.
    #[cfg(target_os = "linux")]
    fn wants_large_pages(memory: &Memory<f64>) -> Option<bool> {
        std::fs::metadata("/sys/kernel/mm/transparent_hugepage").ok()?;
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("an account of the memory");
        let at = memory.as_ptr().addr();
        let holds = |line: &&str| {
            let ends = line.split(' ').next().and_then(|range| range.split_once('-'));
            let ends = ends.map(|(start, end)| [start, end].map(|text| usize::from_str_radix(text, 16)));
            matches!(ends, Some([Ok(start), Ok(end)]) if (start..end).contains(&at))
        };
        let flags = maps.lines().skip_while(|line| !holds(line)).find_map(|line| line.strip_prefix("VmFlags:"));
        Some(flags.expect("the memory is there").split(' ').any(|flag| flag == "hg"))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn large_pages_are_asked_for_where_every_worker_fills_one() {
        // More than an allocator keeps for reuse, for which large pages may have been requested before.
        let (pool, runs) = (pool(3), 6);
        let pages = |count: usize| count * LARGE_PAGE / size_of::<f64>();
        for (len, workers, wanted) in
            [(pages(18), Some(&pool), true), (pages(18) - 1, Some(&pool), false), (pages(17), None, true)]
        {
            let memory = Memory::<f64>::try_zeroed(len, runs, workers).unwrap();
            if let Some(found) = wants_large_pages(&memory) {
                assert_eq!(found, wanted, "{len} for {} workers", workers.map_or(1, ThreadPool::current_num_threads));
            }
        }
    }

    /// The worker that touches memory first is the one that will use it: in each run, its share of a loop over as many
    /// elements.
    #[test]
    fn workers_touch_their_shares() {
        let pool = pool(3);
        for (len, runs) in [(0, 1), (2, 1), (1000, 1), (1000, 4), (999, 4), (SMALL, 3)] {
            let touched: Mutex<Vec<(usize, Range<usize>)>> = Mutex::default();
            for_shares(len, runs, &pool, &|part| {
                let worker = rayon_core::current_thread_index().expect("a worker");
                touched.lock().unwrap().push((worker, part));
            });
            let mut touched = touched.into_inner().unwrap();
            touched.sort_by_key(|(worker, part)| (*worker, part.start));
            let run = len.div_ceil(runs);
            let starts = || (0..len).step_by(run.max(1)).map(|begin| (begin, run.min(len - begin)));
            let of_worker = |worker| {
                let part = move |(begin, size)| {
                    let part = share(size, worker, 3);
                    (worker, begin + part.start..begin + part.end)
                };
                starts().map(part)
            };
            assert_eq!(touched, (0..3).flat_map(of_worker).collect::<Vec<_>>(), "{len} in {runs} runs");
            let mut seen = vec![0; len];
            touched.into_iter().flat_map(|(_, part)| part).for_each(|at| seen[at] += 1);
            assert!(seen.iter().all(|&times| times == 1), "{len} in {runs} runs");
        }
    }

    #[test]
    fn room_grows_by_half() {
        let what = || "values".to_owned();
        let mut memory = Memory::<u32>::zeroed(what, 4, 1, None).unwrap();
        memory.copy_from_slice(&[1, 2, 3, 4]);
        let mut moved = 0;
        for len in 5..1000 {
            let before = memory.as_ptr();
            memory.reserve(what, len, None).unwrap();
            moved += usize::from(memory.as_ptr() != before);
            assert_eq!(memory.len() as u128, len - 1);
            memory.set_len(len as usize);
            memory[len as usize - 1] = len as u32;
        }
        assert!(memory.iter().copied().eq(1..1000));
        assert!(moved < 16, "moved {moved} times");
        let few = crate::data::room::tests::limited(8000, || memory.reserve(what, 1990, None));
        assert!(few.is_ok() && memory.room == 1990, "if there is no spare memory, it does without: {few:?}");
        let none = crate::data::room::tests::limited(8000, || memory.reserve(what, 2001, None));
        assert_eq!(none, Err(crate::Error::NoMemory { what: what(), bytes: 8004 }));
        assert!(memory.iter().copied().eq(1..1000));
    }

    /// Two grow in turn, so that each stands in the way of the other: scalars stay while their addresses change.
    #[test]
    fn large_memory_grows_by_pages() {
        let what = || "values".to_owned();
        let of = |first: u64, len: usize| (first..).step_by(3).take(len);
        let pages =
            |memory: &Memory<u64>| !cfg!(target_os = "linux") || memory.as_ptr().addr().is_multiple_of(LARGE_PAGE);
        let pool = pool(2);
        for workers in [None, Some(&pool)] {
            let mut both = [0_u64, 1].map(|first| {
                let mut memory = Memory::<u64>::zeroed(what, 1000, 1, workers).unwrap();
                memory.iter_mut().zip(of(first, 1000)).for_each(|(to, value)| *to = value);
                (first, memory)
            });
            let mut len = 1000;
            for more in [LARGE_PAGE / 4, 1, LARGE_PAGE, 3, 5 * LARGE_PAGE] {
                for (first, memory) in &mut both {
                    memory.reserve_exact(what, (len + more) as u128, workers).unwrap();
                    assert_eq!((memory.len(), memory.room), (len, len + more));
                    assert!(memory.iter().copied().eq(of(*first, len)) && pages(memory));
                    memory.set_len(len + more);
                    assert!(memory[len..].iter().all(|value| *value == 0));
                    memory.iter_mut().zip(of(*first, len + more)).for_each(|(to, value)| *to = value);
                }
                len += more;
            }
            let (first, memory) = &mut both[0];
            let most = (usize::MAX / 16) as u128;
            assert_eq!(memory.reserve_exact(what, most, None), Err(room::missing(what(), 8 * most)));
            assert!(memory.iter().copied().eq(of(*first, len)));
        }
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        for len in [1 << 60, usize::MAX as u128, u128::from(u64::MAX) * 3] {
            let Err(error) = Memory::<f64>::zeroed(|| "dat `q`".to_owned(), len, 1, None) else {
                panic!("{len} scalars")
            };
            assert_eq!(error, crate::Error::NoMemory { what: "dat `q`".to_owned(), bytes: len * 8 });
        }
    }
}
