//! Pools of threads, which outlive the computation that started them.
//!
//! Threads of a pool that fills the machine stay on one processor each. Otherwise Linux may wake two of them on one processor and move one
//! only tens of milliseconds later; and pages stay near the threads that touched them first. Where processors are left, the system shares
//! them out as it likes, because other programs may use some.

use rayon_core::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::ops::Deref;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Pools that nobody uses at the moment.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Threads that the machine runs at once. The system reads several files to tell, and programs may make thousands of configurations.
pub(crate) fn processors() -> usize {
    static COUNTED: OnceLock<usize> = OnceLock::new();
    *COUNTED.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// A pool that nobody else uses. When it is dropped, its threads sleep until somebody wants as many: to start them takes longer than
/// most loops over small meshes, and programs make many computations one after the other.
pub(crate) struct Workers {
    /// There until it is dropped.
    pool: Option<ThreadPool>,
}

impl Workers {
    /// So many threads, at least 1.
    ///
    /// # Errors
    /// If the system does not start them.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let idle = {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            let place = idle.iter().position(|pool| pool.current_num_threads() == threads);
            place.map(|place| idle.swap_remove(place))
        };
        Ok(Workers { pool: Some(idle.map_or_else(|| start(threads), Ok)?) })
    }
}

fn start(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    let cpus = core_affinity::get_core_ids().filter(|cpus| cpus.len() == threads).unwrap_or_default();
    // Only speed depends on whether the system agrees.
    let settle = move |n: usize| _ = cpus.get(n).map(|cpu| core_affinity::set_for_current(*cpu));
    let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("op2-{n}"));
    builder.start_handler(settle).build()
}

impl Deref for Workers {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        self.pool.as_ref().expect("it is there until it is dropped")
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.pool.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::thread;

    /// No other test has as many threads.
    const THREADS: usize = 11;

    fn of(workers: &Workers) -> BTreeSet<String> {
        workers.broadcast(|_| format!("{:?}", thread::current().id())).into_iter().collect()
    }

    #[test]
    fn threads_serve_one_after_the_other_and_never_two_at_once() {
        let (first, second) = (Workers::new(THREADS).unwrap(), Workers::new(THREADS).unwrap());
        let both = [of(&first), of(&second)];
        assert!(both[0].len() == THREADS && both[0].is_disjoint(&both[1]), "{both:?}");
        drop(first);
        let third = Workers::new(THREADS).unwrap();
        assert_eq!(of(&third), both[0]);
        drop((second, third));
        let more = Workers::new(THREADS + 1).unwrap();
        assert_eq!(more.current_num_threads(), THREADS + 1);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pool_that_fills_the_machine_has_one_thread_on_each_processor() {
        let mine = || core_affinity::get_core_ids().expect("processors");
        let all = mine();
        let of = |workers: &Workers| workers.broadcast(|_| mine());
        let mut one_each = of(&Workers::new(all.len()).unwrap()).concat();
        one_each.sort();
        assert_eq!(one_each, all);
        let free = of(&Workers::new(all.len() + THREADS + 3).unwrap());
        assert!(free.iter().all(|cpus| *cpus == all), "{free:?}");
    }

    #[test]
    fn a_panic_leaves_a_pool_that_works() {
        let workers = Workers::new(THREADS + 2).unwrap();
        let panics = || workers.install(|| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        drop(workers);
        assert_eq!(Workers::new(THREADS + 2).unwrap().install(|| 7), 7);
    }
}
