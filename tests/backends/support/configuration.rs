//! The configurations in which every body runs. Another executor, or another renumbering behind the body's back, is one
//! more dimension here and changes no body.

use op2::{Backend, Config, Isa, Layout, Op2, Ordering, Reads, Scheme, Strategy, devices};
use std::fmt;

/// The configuration of an [`Op2`] for a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Configuration {
    pub(crate) backend: Backend,
    pub(crate) strategy: Strategy,
    pub(crate) layout: Layout,
    /// Order of blocks and threads in the emulator.
    pub(crate) seed: u64,
    /// The numbering behind the body's back.
    pub(crate) numbering: Numbering,
    /// The instruction set on the CPU.
    pub(crate) isa: Isa,
}

/// The inner numbers of elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Numbering {
    /// Those of the declaration.
    Declared,
    /// Random from the start.
    Shuffled,
    /// Changed before the first loop of each case.
    Ordered(Ordering),
}

/// On threads, every strategy runs with each of them. METIS cuts pieces of different sizes, which become blocks. All
/// other orderings are permutations like these; the tests in `reorder` cover them.
const NUMBERINGS: [Numbering; 4] = [
    Numbering::Declared,
    Numbering::Shuffled,
    Numbering::Ordered(Ordering::Gps),
    Numbering::Ordered(if cfg!(feature = "metis") { Ordering::Metis { block: 100 } } else { Ordering::Rcm }),
];

/// Numbers of threads: one, even, odd, and more than small machines have.
const THREADS: [usize; 4] = [1, 2, 3, 5];

/// Every strategy, with blocks down to single elements.
pub(crate) const STRATEGIES: [Strategy; 12] = [
    Strategy::Predicted,
    Strategy::blocks(1),
    Strategy::blocks(7),
    Strategy::blocks(64),
    Strategy::colours(1),
    Strategy::colours(16),
    Strategy::scatter(13),
    Strategy::tiles(1),
    Strategy::tiles(40),
    Strategy::owner(1),
    Strategy::owner(9),
    Strategy::owner(100),
];

const LAYOUTS: [Layout; 3] = [Layout::Aos, Layout::Soa, Layout::Blocked(2)];

const STAGED: Reads = Reads::Staged;
const GATHERED: Reads = Reads::Gathered;

/// Every variant of the CUDA code in every layout, but not in every combination, because the emulator is slow. The
/// apps' tests run all combinations. How blocks read follows from layout and stages, as predictions of small meshes do, also where there
/// are no blocks: each other way would be a text more.
const ON_DEVICE: [(Strategy, Layout); 26] = [
    (Strategy::Predicted, Layout::Aos),
    (Strategy::Predicted, Layout::Soa),
    (Strategy::blocks(1).reading(GATHERED), Layout::Aos),
    (Strategy::blocks(33).reading(GATHERED), Layout::Soa),
    (Strategy::blocks(64).reading(STAGED), Layout::Blocked(2)),
    (Strategy::blocks(2000).reading(GATHERED), Layout::Aos),
    (Strategy::colours(16).reading(GATHERED), Layout::Aos),
    (Strategy::colours(128).reading(GATHERED), Layout::Soa),
    (Strategy::atomics(32).reading(GATHERED), Layout::Soa),
    (Strategy::atomics(100).reading(GATHERED), Layout::Aos),
    (Strategy::block_atomics(7).reading(GATHERED), Layout::Aos),
    (Strategy::block_atomics(64).reading(GATHERED), Layout::Soa),
    (Strategy::block_atomics(256).reading(STAGED), Layout::Blocked(3)),
    (Strategy::scatter(32).reading(GATHERED), Layout::Aos),
    (Strategy::scatter(128).reading(GATHERED), Layout::Soa),
    (Strategy::scatter(128).reading(STAGED), Layout::Blocked(2)),
    (Strategy::tiles(7).reading(GATHERED), Layout::Soa),
    (Strategy::tiles(64).reading(GATHERED), Layout::Aos),
    (Strategy::tiles(64).reading(STAGED), Layout::Blocked(2)),
    (Strategy::owner(7).reading(GATHERED), Layout::Aos),
    (Strategy::owner(64).reading(GATHERED), Layout::Soa),
    (Strategy::targets(32).reading(GATHERED), Layout::Aos),
    (Strategy::targets(100).reading(GATHERED), Layout::Soa),
    // As many stages as the loop has. Further layouts would take longer to compile.
    (Strategy::split(33, 9).reading(STAGED), Layout::Aos),
    (Strategy::split_atomics(64, 9).reading(STAGED), Layout::Aos),
    (Strategy::split_block_atomics(64, 9).reading(STAGED), Layout::Aos),
];

/// Cases that every configuration of the emulator runs.
const FEW: usize = 8;

impl Configuration {
    /// All configurations, in groups whose results are the same to the last bit. The configurations of a group differ
    /// only in the number of threads, in the instructions, in whether loops run in stages, or in the emulator's order
    /// of independent threads.
    ///
    /// Under a sanitizer, which makes them slow, groups on one thread have all of them, and of every other group one runs, each time
    /// at the next place: the others run the same bodies. With `OP2_TEST_GPU=alone` only those on the GPU run.
    pub(crate) fn groups() -> Vec<Vec<Self>> {
        let mut groups = Self::all();
        if op2_test_support::on_a_gpu_alone() {
            groups.retain(|group| !matches!(group[0].backend, Backend::Seq | Backend::Threads(_)));
        }
        if std::env::var_os("OP2_TEST_SANITIZED").is_some() {
            for (n, group) in groups.iter_mut().enumerate().filter(|(_, group)| group[0].backend != Backend::Seq) {
                *group = vec![group[n % group.len()]];
            }
        }
        groups
    }

    /// Those that run without a sanitizer.
    fn all() -> Vec<Vec<Self>> {
        let alone = LAYOUTS.map(|layout| {
            let split = |(size, stages): (usize, usize)| Strategy::split(size, stages);
            let strategies = [Strategy::Predicted].into_iter().chain([(7, 1), (40, 2), (3, 3)].map(split));
            let scalar = strategies.map(|strategy| Configuration { strategy, layout, ..Self::SEQ });
            scalar.chain(Isa::available().into_iter().map(|isa| Configuration { isa, layout, ..Self::SEQ })).collect()
        });
        let shuffled = vec![Configuration { numbering: Numbering::Shuffled, ..Self::SEQ }];
        let device = device();
        let on_device = ON_DEVICE.iter().enumerate().filter_map(|(n, &(strategy, layout))| {
            let (backend, numbering) = (device?, NUMBERINGS[usize::from(n % 3 == 0)]);
            let with = |seed| Configuration { backend, strategy, layout, seed, numbering, isa: Isa::Scalar };
            // The order of atomics determines the rounding.
            Some(if strategy.is_deterministic() { vec![with(1), with(2)] } else { vec![with(1)] })
        });
        alone.into_iter().chain([shuffled]).chain(Self::on_threads()).chain(on_device).collect()
    }

    /// On threads: every strategy with every numbering, and every pair of values among strategies, layouts,
    /// instructions, numbers of threads and numberings. All triples would take minutes.
    fn on_threads() -> Vec<Vec<Self>> {
        let sets = Isa::available();
        let of_a_strategy = |(n, strategy): (usize, Strategy)| {
            let sets = sets.clone();
            NUMBERINGS.into_iter().enumerate().flat_map(move |(k, numbering)| {
                let layout = LAYOUTS[(n + k) % LAYOUTS.len()];
                let with = |at: usize| {
                    let (backend, isa) = (Backend::Threads(THREADS[at % 4]), sets[(n / 2 + k + at) % sets.len()]);
                    Configuration { backend, strategy, layout, numbering, isa, ..Self::SEQ }
                };
                // With the declared numbering all numbers of threads, otherwise two.
                let runs: Vec<Self> = match k {
                    0 => (0..4).map(with).collect(),
                    _ => [n + k, n + k + 1 + k / 2].map(with).to_vec(),
                };
                let stages = in_stages(with(n + 2 * k));
                match strategy {
                    // A trial may choose another strategy, depending on a clock.
                    Strategy::Auto => runs.into_iter().map(|run| vec![run]).collect(),
                    _ => vec![runs.into_iter().chain(stages).collect()],
                }
            })
        };
        STRATEGIES.into_iter().chain([Strategy::Auto]).enumerate().flat_map(of_a_strategy).collect()
    }

    /// The sequential executor with data in plain order: the reference.
    pub(crate) const SEQ: Self = Configuration {
        backend: Backend::Seq,
        strategy: Strategy::Predicted,
        layout: Layout::Aos,
        seed: 0,
        numbering: Numbering::Declared,
        isa: Isa::Scalar,
    };

    /// Two threads on small blocks.
    pub(crate) const THREADS: Self =
        Configuration { backend: Backend::Threads(2), strategy: Strategy::blocks(7), ..Self::SEQ };

    /// Whether it runs the `n`-th of `cases`. One on a device runs every other one, and the next one of the list the others: on a GPU every
    /// size of a set is compiled anew. In the emulator, it runs all if they are few.
    pub(crate) fn runs(&self, n: usize, cases: usize) -> bool {
        let place = ON_DEVICE.iter().position(|&(strategy, layout)| (strategy, layout) == (self.strategy, self.layout));
        match place {
            _ if matches!(self.backend, Backend::Seq | Backend::Threads(_)) => true,
            Some(place) if self.backend != Backend::CudaEmu || cases > FEW => (n + place).is_multiple_of(2),
            _ => true,
        }
    }

    /// Whether the strategy follows from the mesh.
    pub(crate) fn is_predicted(&self) -> bool {
        matches!(self.strategy, Strategy::Predicted | Strategy::Auto)
    }

    /// Whether this is a first run of its kind with the numbers of the declaration.
    pub(crate) fn is_plain(&self) -> bool {
        self.numbering == Numbering::Declared && self.seed < 2
    }

    /// Whether configurations for devices run in the emulator.
    pub(crate) fn emulator_runs() -> bool {
        device() == Some(Backend::CudaEmu)
    }

    /// An empty mesh in this configuration.
    pub(crate) fn op(self) -> Op2 {
        let Configuration { backend, strategy, layout, seed, numbering, isa } = self;
        // Without a limit for short loops, nearly all loops of the tests would never use the pool. The verifier is
        // slow, and plans do not depend on threads, so it runs for one number of threads.
        let verify = !THREADS[1..].iter().any(|&n| backend == Backend::Threads(n));
        let config = Config::default().backend(backend).strategy(strategy).layout(layout).isa(isa);
        let checks = std::env::var_os("OP2_TEST_UNCHECKED").is_none();
        // Widths of waves by layout, so that no text is compiled for both; reductions do not depend on layouts.
        let wide_waves = layout == Layout::Soa;
        let emulation = devices::Options { seed, checks, wide_waves, ..Default::default() };
        let config = config.short_loops(0).verify_plans(verify).emulator(emulation);
        // The meshes of the tests are too small for prefetching, so odd numbers of threads force it.
        let ahead = matches!(backend, Backend::Threads(n) if n % 2 == 1);
        let config = config.ahead_from(if ahead { 0 } else { usize::MAX });
        // The path of a program is no folder, so nothing is kept from one test to the next.
        let config = config.cache_dir(std::env::current_exe().expect("a test is a program"));
        let config = if numbering == Numbering::Shuffled { config.shuffled(7) } else { config };
        Op2::with(config).expect("a configuration of the tests is valid")
    }
}

/// The same in stages, if the strategy is blocks: the results have the same bits.
fn in_stages(whole: Configuration) -> Option<Configuration> {
    let Scheme { size, .. } = whole.strategy.scheme().filter(|scheme| *scheme == Scheme::blocks(scheme.size))?;
    let stages = match size {
        0..4 => 1,
        4..32 => 3,
        _ => 2,
    };
    Some(Configuration { strategy: Strategy::split(size, stages), ..whole })
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, strategy, layout, seed, isa, numbering } = self;
        write!(f, "{backend:?}, {strategy}, {layout:?}, {isa}, seed {seed}, {numbering:?}")
    }
}

fn device() -> Option<Backend> {
    op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu)
}

/// Checks the claim in `tests/README.md` about this suite. The tests in `chain` run loops alone and in chains in all
/// configurations.
#[test]
fn every_pair_of_choices_occurs() {
    let runs: Vec<Configuration> = Configuration::all().concat();
    let threads = runs.iter().filter_map(|c| match c.backend {
        Backend::Threads(n) => Some([
            c.strategy.to_string(),
            format!("{:?}", c.layout),
            format!("{:?}", c.numbering),
            c.isa.to_string(),
            format!("{n} threads"),
        ]),
        _ => None,
    });
    // On threads, stages belong to blocks and are no separate strategy.
    let threads: Vec<_> = threads.filter(|run| !run[0].starts_with("split")).collect();
    for one in 0..5 {
        for other in one + 1..5 {
            for a in threads.iter().map(|run| &run[one]) {
                for b in threads.iter().map(|run| &run[other]) {
                    assert!(threads.iter().any(|run| run[one] == *a && run[other] == *b), "`{a}` never meets `{b}`");
                }
            }
        }
    }
    let strategies: std::collections::BTreeSet<_> = threads.iter().map(|run| &run[0]).collect();
    assert_eq!(strategies.len(), STRATEGIES.len() + 1, "{strategies:?}");
}
