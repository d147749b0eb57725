//! Tasks on the threads of the current pool. This is the one place that divides work in rayon's way: its machinery is large, and every
//! closure that reaches it would be a copy to compile.

use rayon_core::ThreadPool;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Calls `work` on a thread of `pool`, which is the current one then.
pub(crate) fn install<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result) = (Some(work), None);
    enter(pool, &mut || result = work.take().map(|work| work()));
    result.expect("the pool has done the work")
}

/// Calls `run` with every number below `count`.
pub(crate) fn for_each(count: usize, run: &(dyn Fn(usize) + Sync)) {
    halve(0..count, run);
}

/// Calls `run` with every item and its place in the list.
pub(crate) fn for_each_of<T: Send>(items: impl IntoIterator<Item = T>, run: impl Fn(usize, T) + Sync) {
    let slots = slots(items);
    for_each(slots.len(), &|n| {
        if let Some(item) = take(&slots[n]) {
            run(n, item);
        }
    });
}

/// The results of `run` for every number below `count`, in ascending order.
pub(crate) fn map<R: Send>(count: usize, run: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    for_each_of(&mut results, |n, result| *result = Some(run(n)));
    results.into_iter().flatten().collect()
}

/// Each item for the task that takes it. A function of its own: one copy serves all tasks with such items.
fn slots<T>(items: impl IntoIterator<Item = T>) -> Vec<Mutex<Option<T>>> {
    items.into_iter().map(|item| Mutex::new(Some(item))).collect()
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn enter(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Halves the numbers until each is a task. A worker without work takes the largest rest, so that what each runs is contiguous.
fn halve(numbers: Range<usize>, run: &(dyn Fn(usize) + Sync)) {
    let Range { start, end } = numbers;
    match end - start {
        0 => {}
        1 => run(start),
        len => {
            let middle = start + len / 2;
            rayon_core::join(|| halve(start..middle, run), || halve(middle..end, run));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_number_is_one_task() {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(3).build().expect("threads for a test");
        pool.install(|| {
            for count in [0, 1, 2, 7, 100] {
                let met: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                for_each(count, &|n| {
                    met[n].fetch_add(1, Ordering::Relaxed);
                });
                assert!(met.iter().all(|times| times.load(Ordering::Relaxed) == 1), "{count}");
                assert_eq!(map(count, |n| n * n), (0..count).map(|n| n * n).collect::<Vec<_>>());
                let mut items = vec![1; count];
                for_each_of(&mut items, |n, item| *item += n);
                assert!(items.iter().enumerate().all(|(n, item)| *item == n + 1), "{items:?}");
            }
        });
    }
}
