//! How a solver runs.

use op2::{Config, Isa, Op2, Ordering, Reordering, Strategies, Strategy, devices};

use crate::flags::{Backend, Layout, Precision};
use crate::options::{Executor, Loops};

/// How to run; `C` is for numbers that only one app has.
#[derive(Clone, Debug)]
pub struct Settings<C = ()> {
    /// The backend that executes the loops.
    pub backend: Backend,
    /// Number of threads, at least 1; 1 unless the backend is [`Backend::Threads`].
    pub threads: usize,
    /// Number of iterations; may be 0.
    pub iterations: usize,
    /// Arithmetic of the solver.
    pub precision: Precision,
    /// Layout of data with several components.
    pub layout: Layout,
    /// How op2 numbers the mesh inside.
    pub ordering: Ordering,
    /// How races between elements are resolved.
    pub strategy: Strategy,
    /// Exceptions from that, as the command line states them.
    pub strategies: Strategies,
    /// The vector instructions of loops on the host; `None` leaves the choice to op2.
    pub isa: Option<Isa>,
    /// The emulator's checks, and the order in which it runs threads.
    pub emulator: devices::Options,
    /// The devices that threads play in loops over pairs, at least 1.
    pub patch_devices: usize,
    /// Numbers of the app's own case.
    pub case: C,
}

impl<C: Default> Default for Settings<C> {
    /// One iteration on the sequential executor.
    fn default() -> Self {
        Settings {
            backend: Backend::Seq,
            threads: 1,
            iterations: 1,
            precision: Precision::F64,
            layout: Layout::Aos,
            ordering: Ordering::None,
            strategy: Strategy::Predicted,
            strategies: Strategies::default(),
            isa: None,
            emulator: devices::Options::default(),
            patch_devices: 1,
            case: C::default(),
        }
    }
}

impl<C: Default> Settings<C> {
    /// The settings that a command line asks for, in double precision, with the app's default case.
    ///
    /// # Errors
    ///
    /// Options that say nothing to the backend; the text is meant for the user.
    pub fn of(executor: &Executor, loops: &Loops, iterations: usize) -> Result<Self, String> {
        let backend = executor.backend;
        let threads = executor.threads()?;
        backend.allows_unchecked(loops.unchecked)?;
        backend.allows_isa(loops.isa)?;
        Ok(Settings {
            backend,
            threads,
            iterations,
            layout: loops.layout,
            ordering: loops.reorder,
            strategies: loops.strategy.clone().unwrap_or_default(),
            isa: loops.isa,
            emulator: devices::Options { checks: !loops.unchecked, ..Default::default() },
            ..Settings::default()
        })
    }
}

impl<C> Settings<C> {
    /// Fails if the backend is not available here, or the environment has an invalid setting. Call it before a mesh is
    /// read or made, and before anything is printed.
    ///
    /// # Errors
    ///
    /// There is no GPU or no compiler for its code, threads cannot be started, or `OP2_STRATEGY` states no strategies.
    pub fn check_backend(&self) -> op2::Result<()> {
        Op2::with(self.config()).map(drop)
    }

    /// The same as op2 takes it.
    pub fn config(&self) -> Config {
        let config = Config::default().backend(self.backend.to_op2(self.threads)).layout(self.layout.to_op2());
        let config = config.ordering(self.ordering).patch_devices(self.patch_devices);
        let config = config.strategy(self.strategy).strategies(self.strategies.clone()).emulator(self.emulator);
        self.isa.map_or(config.clone(), |isa| config.isa(isa))
    }

    /// Numbers a declared mesh as these settings ask, before any clock starts. Returns the report of an ordering that was
    /// named.
    ///
    /// # Errors
    ///
    /// As [`Op2::prepare`].
    pub fn order(&self, op: &mut Op2) -> op2::Result<Option<Reordering>> {
        match self.ordering {
            Ordering::Predicted | Ordering::None => op.prepare().map(|()| None),
            named => op.reorder(named).map(Some),
        }
    }
}
