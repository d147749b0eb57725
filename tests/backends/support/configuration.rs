//! The configurations that every body runs in. A further executor, or a mesh renumbered behind the
//! body's back, is one more dimension here; no body changes for it.

use op2::{Backend, Config, Layout, Op2, Strategy};
use std::fmt;

/// How an [`Op2`] is set up for a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Configuration {
    pub(crate) backend: Backend,
    pub(crate) strategy: Strategy,
    pub(crate) layout: Layout,
}

/// Numbers of threads: none to spare, even, odd, and more than the machine may have.
const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Every strategy, with blocks down to single elements.
pub(crate) const STRATEGIES: [Strategy; 6] = [
    Strategy::Predicted,
    Strategy::Blocks { size: 1 },
    Strategy::Blocks { size: 7 },
    Strategy::Blocks { size: 64 },
    Strategy::Colours { chunk: 1 },
    Strategy::Colours { chunk: 16 },
];

const LAYOUTS: [Layout; 3] = [Layout::Aos, Layout::Soa, Layout::Blocked(2)];

impl Configuration {
    /// All configurations, in groups whose results are the same to the last bit: those that differ
    /// in the number of threads only.
    pub(crate) fn groups() -> Vec<Vec<Self>> {
        let alone =
            LAYOUTS.map(|layout| vec![Configuration { backend: Backend::Seq, strategy: Strategy::Predicted, layout }]);
        let threaded = STRATEGIES.iter().flat_map(|&strategy| {
            LAYOUTS.map(|layout| {
                THREADS.map(|n| Configuration { backend: Backend::Threads(n), strategy, layout }).to_vec()
            })
        });
        alone.into_iter().chain(threaded).collect()
    }

    /// The sequential executor with data in plain order: the reference.
    pub(crate) const SEQ: Self =
        Configuration { backend: Backend::Seq, strategy: Strategy::Predicted, layout: Layout::Aos };

    /// Two threads on small blocks.
    pub(crate) const THREADS: Self =
        Configuration { backend: Backend::Threads(2), strategy: Strategy::Blocks { size: 7 }, layout: Layout::Aos };

    /// An empty mesh in this configuration.
    pub(crate) fn op(self) -> Op2 {
        let Configuration { backend, strategy, layout } = self;
        // Short loops would never reach the pool, and nearly all loops of the tests are short.
        let config = Config::default().backend(backend).strategy(strategy).layout(layout);
        let config = config.short_loops(0).verify_plans(true);
        Op2::with(config).expect("a configuration of the tests is valid")
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {}, {:?}", self.backend, self.strategy, self.layout)
    }
}
