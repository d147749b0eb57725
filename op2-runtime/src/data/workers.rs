//! Pools of threads, which outlive the computation that started them.

use rayon_core::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// Pools that nobody uses at the moment.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

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
        let start = || ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("op2-{n}")).build();
        Ok(Workers { pool: Some(idle.map_or_else(start, Ok)?) })
    }
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
    fn a_panic_leaves_a_pool_that_works() {
        let workers = Workers::new(THREADS + 2).unwrap();
        let panics = || workers.install(|| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        drop(workers);
        assert_eq!(Workers::new(THREADS + 2).unwrap().install(|| 7), 7);
    }
}
