//! Independent jobs on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results of `work` in the order of the jobs.
pub(crate) fn on_all_cores<J: Sync, T: Send>(jobs: &[J], work: impl Fn(&J) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(jobs.len()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((n, job)) = next_job(jobs, &next) {
                    let result = work(job);
                    done.lock().expect("no thread panics while it holds the list").push((n, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("all threads are done");
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}

fn next_job<'a, J>(jobs: &'a [J], next: &AtomicUsize) -> Option<(usize, &'a J)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(n).map(|job| (n, job))
}
