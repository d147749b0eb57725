//! [`Op2`]: the mesh, the executor and the plans of one computation.

mod reorder;

use crate::cache::{PlanCache, Settings};
use crate::chain::Chains;
use crate::decide::Chooser;
use crate::device::Machine;
use crate::error::{Error, Result};
use crate::exec::Executor;
use crate::handle::{Dat, Global, Map, Set, SetTag, Subset};
use crate::lanes::{Ahead, Isa, NoIsa};
use crate::layout::Layout;
use crate::mesh::Mesh;
use crate::plan::Hardware;
use crate::report::{LoopStats, Report};
use crate::rows::Index;
use crate::strategy::{Rules, Strategies, Strategy};
use crate::value::Value;
use reorder::Positions;
use rustc_hash::FxHashMap;
use std::path::PathBuf;

/// Where loops run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// One element after the other, in the order of the set: the reference.
    Seq,
    /// Coloured blocks on this many threads; results do not depend on the number.
    Threads(usize),
    /// The generated CUDA code on the NVIDIA GPU of this number. Needs the feature `cuda`; programs built
    /// with it start on machines without a GPU too.
    Cuda(usize),
    /// The generated CUDA code on the CPU, in an emulator that checks every access. It is slow and needs a C++
    /// compiler; what it is for is finding faults.
    CudaEmu,
}

/// How an [`Op2`] is set up.
///
/// ```
/// use op2_runtime::{Backend, Config, Layout, Op2};
/// let op = Op2::with(Config::default().backend(Backend::Threads(2)).layout(Layout::Soa))?;
/// # Ok::<(), op2_runtime::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    backend: Backend,
    layout: Layout,
    strategy: Strategy,
    strategies: Strategies,
    cache_dir: Option<PathBuf>,
    verify: bool,
    short_loops: u64,
    ahead_from: usize,
    emulation: op2_cuda::Options,
    device_checks: bool,
    shuffle: Option<u64>,
    hardware: Hardware,
    isa: Option<Isa>,
}

/// Nanoseconds to hand a loop to sleeping threads and to wait for them, as the bench `overhead` shows
/// with this set to 0.
const WAKING: u64 = 15_000;

/// Rows of fewer bytes stay in the caches.
const LARGE_ROWS: usize = 4 << 20;

/// The mesh, its data, and the loops over them.
///
/// Sets, maps, dats and globals are declared on it and stay inside; what the user holds are typed
/// handles. `op_par_loop!` runs loops on it.
pub struct Op2 {
    pub(crate) mesh: Mesh,
    pub(crate) executor: Executor,
    pub(crate) plans: PlanCache,
    /// Memory for copies of targets, shared by all loops because they run one after the other.
    pub(crate) scratch: Vec<Vec<u64>>,
    pub(crate) stats: Vec<LoopStats>,
    /// Where a loop's statistics stand, by the address of its static description.
    pub(crate) stats_of: FxHashMap<usize, usize>,
    pub(crate) chains: Chains,
    pub(crate) short_loops: u64,
    /// The instructions that loops run by where they can.
    pub(crate) isa: Isa,
    layout: Layout,
    shuffle: Option<u64>,
    /// The dat of coordinates, if one was named.
    positions: Option<Positions>,
    rules: Rules,
    pub(crate) chooser: Chooser,
}

impl Default for Config {
    /// As many threads as the machine offers, AoS, predicted strategies.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            backend: Backend::Threads(threads),
            layout: Layout::Aos,
            strategy: Strategy::Predicted,
            strategies: Strategies::default(),
            cache_dir: None,
            verify: false,
            short_loops: WAKING,
            ahead_from: LARGE_ROWS,
            emulation: op2_cuda::Options::default(),
            device_checks: false,
            shuffle: None,
            hardware: Hardware::here(),
            isa: None,
        }
    }
}

impl Config {
    /// Where loops run.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Layout of the dats that are declared; `op.set_layout` changes single ones.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Race resolution of the loops that nothing else speaks of: [`Op2::pin`] is stronger, then the environment variable
    /// `OP2_STRATEGY`, then [`Config::strategies`].
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Race resolution of all loops or single ones, as who started the program asked for it, on its command line for
    /// example. Stronger than all other sources: than the environment variable `OP2_STRATEGY`, which is a text as [`Strategies`]
    /// reads it, than [`Op2::pin`] and [`Config::strategy`].
    ///
    /// ```
    /// use op2_runtime::{Config, Strategies};
    /// let strategies: Strategies = "res_calc=tiles:4096,auto".parse()?;
    /// let config = Config::default().strategies(strategies);
    /// # Ok::<(), op2_runtime::NoStrategies>(())
    /// ```
    pub fn strategies(mut self, strategies: Strategies) -> Self {
        self.strategies = strategies;
        self
    }

    /// The folder in whose folder `decisions` the decisions of [`Strategy::Auto`] are remembered, one JSON file for each
    /// machine, loop and mesh. Unless set, it is what the environment variable `OP2_CACHE_DIR` says, else `op2` in the user's
    /// folder for caches. It is created when there is something to remember; where that fails nothing is remembered, and the
    /// report says so.
    pub fn cache_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(folder.into());
        self
    }

    /// Whether every new plan is checked by the independent verifier before it is used. The verifier is
    /// written to be obviously right and takes many times as long as building the plan, so this is for
    /// tests and for doubt.
    pub fn verify_plans(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// What [`Backend::CudaEmu`] checks, in which order it runs threads, and how much memory it has. Without checks it
    /// is some three times as fast.
    ///
    /// ```
    /// use op2_runtime::{Backend, Config, cuda};
    /// let small = cuda::Options { memory: 1 << 20, ..Default::default() };
    /// let config = Config::default().backend(Backend::CudaEmu).emulator(small);
    /// ```
    pub fn emulator(mut self, options: op2_cuda::Options) -> Self {
        self.emulation = options;
        self
    }

    /// Whether loops on devices report what their kernels panic for on a CPU: an index beyond an array, an integer divided by zero, and
    /// what else the table of the kernel language names. The call then fails with [`Fault::Panic`](crate::Fault::Panic), which names
    /// the element; without checks a kernel goes on with a value, or reads and writes beyond an array. Off unless asked for:
    /// every launch is waited for, and kernels have more to do. The emulator checks indices always.
    pub fn device_checks(mut self, checks: bool) -> Self {
        self.device_checks = checks;
        self
    }

    /// The kind of machine that plans are predicted for; that of the machine where the program runs unless set. Plans decide
    /// about the order of additions: a program that names a kind gives the same bits on all machines.
    pub fn hardware(mut self, kind: Hardware) -> Self {
        self.hardware = kind;
        self
    }

    /// The instructions by which loops run on the CPU, several elements at once. Unless set, it is what the environment variable
    /// `OP2_ISA` says (`scalar`, `baseline`, `avx2`, `avx512`), else [`Isa::best`] on threads and [`Isa::Scalar`] on the sequential
    /// executor, which is the reference. Results are the same to the last bit.
    pub fn isa(mut self, isa: Isa) -> Self {
        self.isa = Some(isa);
        self
    }

    /// Numbers the elements of every set at random inside, the worst that a reordering could do: so that tests see
    /// that nobody outside notices.
    #[doc(hidden)]
    pub fn shuffled(mut self, seed: u64) -> Self {
        self.shuffle = Some(seed);
        self
    }

    /// Loops shorter than this many nanoseconds run on the calling thread alone, because it is done
    /// before the others are awake; 15,000 unless set, 0 for none. How long a loop takes is estimated
    /// from its bytes and operations, not measured; results are the same to the last bit.
    pub fn short_loops(mut self, nanoseconds: u64) -> Self {
        self.short_loops = nanoseconds;
        self
    }

    /// Loops in lanes ask for rows behind maps some elements ahead, if all dats behind maps together have this many bytes, and if the
    /// rows are numbered so badly or lie in so many arrays that they would come late otherwise; 4 MiB unless set, 0 for all loops,
    /// `usize::MAX` for none. It is a matter of speed alone, and done on x86-64 only.
    pub fn ahead_from(mut self, bytes: usize) -> Self {
        self.ahead_from = bytes;
        self
    }
}

/// The instructions for loops: those that were asked for, by the program or in the environment, or what suits the executor.
fn instructions(asked: Option<Isa>, backend: Backend) -> Result<Isa> {
    const VARIABLE: &str = "OP2_ISA";
    let variable = std::env::var_os(VARIABLE).map(|text| text.to_string_lossy().into_owned());
    let (isa, origin) = match (asked, variable) {
        (Some(isa), _) => (isa, String::new()),
        (None, Some(text)) if !text.is_empty() => {
            let origin = format!("environment variable `{VARIABLE}`: ");
            let isa = text
                .parse()
                .map_err(|cause: NoIsa| Error::Isa { origin: origin.clone(), reason: cause.to_string() })?;
            (isa, origin)
        }
        _ if backend == Backend::Seq => return Ok(Isa::Scalar),
        _ => return Ok(Isa::best()),
    };
    if isa > Isa::best() {
        let reason = format!("this processor does not have `{isa}`, expected at most `{}`", Isa::best());
        return Err(Error::Isa { origin, reason });
    }
    Ok(isa)
}

impl Op2 {
    /// An empty mesh with the given set-up.
    ///
    /// # Errors
    /// [`Error::Threads`] if there are to be no threads or the system refuses them,
    /// [`Error::EmptyBlock`] for a strategy without elements per block, [`Error::DeviceStrategy`] for one that only devices have where
    /// loops do not run on one, [`Error::Strategies`] for a text in `OP2_STRATEGY`
    /// that is none of [`Strategies`], [`Error::Isa`] for instructions that this processor does not have or a text in `OP2_ISA` that names
    /// none, [`Error::Device`] if there is no GPU or no compiler for it.
    pub fn with(config: Config) -> Result<Self> {
        let variable = std::env::var_os(Rules::VARIABLE).map(|text| text.to_string_lossy().into_owned());
        let rules = Rules {
            given: config.strategies,
            environment: Rules::environment(variable.as_deref())?,
            pinned: FxHashMap::default(),
            default: config.strategy,
        };
        rules.check(config.backend)?;
        let isa = instructions(config.isa, config.backend)?;
        let kernel_checks = config.device_checks || config.emulation.kernel_checks;
        let emulation = op2_cuda::Options { kernel_checks, ..config.emulation };
        let executor = Executor::new(config.backend, emulation)?;
        let asks_ahead = executor.device().is_none() && isa != Isa::Scalar && Ahead::IS_POSSIBLE;
        let settings = Settings {
            hardware: config.hardware,
            verify: config.verify,
            ahead_from: asks_ahead.then_some(config.ahead_from),
        };
        Ok(Op2 {
            isa,
            mesh: Mesh::new(),
            executor,
            plans: PlanCache::new(settings),
            scratch: Vec::new(),
            stats: Vec::new(),
            stats_of: FxHashMap::default(),
            chains: Chains::default(),
            short_loops: config.short_loops,
            layout: config.layout,
            shuffle: config.shuffle,
            positions: None,
            rules,
            chooser: Chooser::new(config.cache_dir),
        })
    }

    /// An empty mesh with [`Config::default`].
    ///
    /// # Errors
    /// As [`Op2::with`].
    pub fn new() -> Result<Self> {
        Self::with(Config::default())
    }

    /// Declares a set of `size` elements. The type parameter is a tag of `op2::sets!`; several sets
    /// may have the same tag (the levels of a multigrid), loops over mixtures are refused when
    /// they are called.
    ///
    /// # Errors
    /// [`Error::SetTooLarge`] beyond `u32::MAX` elements.
    pub fn decl_set<S: SetTag>(&mut self, name: &str, size: usize) -> Result<Set<S>> {
        let seed = self.shuffle.map(|seed| seed.wrapping_add(self.mesh.sets.len() as u64));
        let index = self.mesh.add_set(name, size, seed)?;
        Ok(Set::at(self.mesh.id, index))
    }

    /// Declares a subset by its elements, in the order in which the sequential executor runs them until the mesh is
    /// [reordered](Op2::reorder).
    ///
    /// # Errors
    /// [`Error::SubsetEntry`] for an element that does not exist or comes twice,
    /// [`Error::OtherMesh`] for a set of another `Op2`.
    pub fn decl_subset<S: SetTag, I: Index>(&mut self, name: &str, set: Set<S>, elements: &[I]) -> Result<Subset<S>> {
        let set = self.mesh.index(set.id, "set")?;
        let index = self.mesh.add_subset(name, set, elements)?;
        Ok(Subset::at(self.mesh.id, index))
    }

    /// Declares a map: for each element of `from` the `A` elements of `to` that belong to it.
    /// Entries may be any integers; [`rows`](crate::rows()) makes rows of flat data.
    ///
    /// # Errors
    /// [`Error::Rows`] unless there is one row per element of `from`, [`Error::MapEntry`] for an
    /// entry that is not an element of `to`, [`Error::OtherMesh`] for sets of another `Op2`.
    pub fn decl_map<F: SetTag, T: SetTag, I: Index, const A: usize>(
        &mut self,
        name: &str,
        from: Set<F>,
        to: Set<T>,
        entries: &[[I; A]],
    ) -> Result<Map<F, T, A>> {
        let from = self.mesh.index(from.id, "set")?;
        let to = self.mesh.index(to.id, "set")?;
        let index = self.mesh.add_map(name, from, to, entries, self.executor.pool())?;
        Ok(Map::at(self.mesh.id, index))
    }

    /// Gives a map new entries; plans built for the old ones are not used again.
    ///
    /// # Errors
    /// As [`Op2::decl_map`]; the old entries stay.
    pub fn set_map<F, T, I: Index, const A: usize>(&mut self, map: Map<F, T, A>, entries: &[[I; A]]) -> Result<()> {
        let index = self.mesh.index(map.id, "map")?;
        self.mesh.replace_map(index, entries, self.executor.pool())
    }

    /// Declares data on a set: one value for each element.
    ///
    /// # Errors
    /// [`Error::Rows`] unless there is one value per element, [`Error::OtherMesh`] for a set of
    /// another `Op2`.
    pub fn decl_dat<S: SetTag, V: Value>(&mut self, name: &str, set: Set<S>, values: &[V]) -> Result<Dat<S, V>> {
        let set = self.mesh.index(set.id, "set")?;
        let index = self.mesh.add_dat(name, set, self.layout, values, self.executor.pool())?;
        Ok(Dat::at(self.mesh.id, index))
    }

    /// Declares data on a set with the same value everywhere.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] for a set of another `Op2`.
    pub fn decl_dat_filled<S: SetTag, V: Value>(&mut self, name: &str, set: Set<S>, value: V) -> Result<Dat<S, V>> {
        let set = self.mesh.index(set.id, "set")?;
        let index = self.mesh.add_dat_by(name, set, self.layout, |_| value, self.executor.pool())?;
        Ok(Dat::at(self.mesh.id, index))
    }

    /// Declares a value that loops read or reduce into: a scalar, an array, or an
    /// [`ArgMin`](crate::ArgMin) or [`ArgMax`](crate::ArgMax).
    pub fn decl_global<G: Copy + Send + Sync + 'static>(&mut self, name: &str, value: G) -> Global<G> {
        let index = self.mesh.add_global(name, value);
        Global::at(self.mesh.id, index)
    }

    /// Number of elements of a set.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] for a set of another `Op2`.
    pub fn size<S>(&self, set: Set<S>) -> Result<usize> {
        Ok(self.mesh.sets[self.mesh.index(set.id, "set")?].size)
    }

    /// The values of a dat, in the numbering in which they were declared.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] for a dat of another `Op2`, [`Error::Device`] if the values cannot be brought from the
    /// device.
    pub fn fetch<S, V: Value>(&self, dat: Dat<S, V>) -> Result<Vec<V>> {
        let index = self.mesh.index(dat.id, "dat")?;
        let newer = self.executor.device().map(|device| device.newer::<V::Elem>(&self.mesh, index)).transpose()?;
        match newer.flatten() {
            Some(scalars) => self.mesh.rows_in(index, &scalars),
            None => self.mesh.rows(index),
        }
    }

    /// Gives a dat new values.
    ///
    /// # Errors
    /// [`Error::Rows`] unless there is one value per element (the old values stay),
    /// [`Error::OtherMesh`] for a dat of another `Op2`.
    pub fn set_data<S, V: Value>(&mut self, dat: Dat<S, V>, values: &[V]) -> Result<()> {
        let index = self.mesh.index(dat.id, "dat")?;
        self.mesh.set_rows(index, values)?;
        self.host_changed(index);
        Ok(())
    }

    /// Converts a dat to another layout; kernels never see it.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn set_layout<S, V: Value>(&mut self, dat: Dat<S, V>, layout: Layout) -> Result<()> {
        let index = self.mesh.index(dat.id, "dat")?;
        if self.mesh.dats[index].layout() != layout {
            let rows = self.fetch(dat)?;
            self.mesh.set_layout(index, layout, &rows, self.executor.pool())?;
            self.host_changed(index);
        }
        Ok(())
    }

    /// Tells the device, if loops run on one, that the host has new values for a dat.
    fn host_changed(&mut self, dat: usize) {
        if let Some(device) = self.executor.device_mut() {
            device.outdated(dat, self.mesh.dats[dat].memory().len());
        }
    }

    /// The value of a global.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] for a global of another `Op2`, [`Error::Device`] if the result of a reduction cannot be
    /// brought from the device.
    pub fn get<G: Copy + 'static>(&self, global: Global<G>) -> Result<G> {
        let index = self.mesh.index(global.id, "global")?;
        let mut value: G = *self.mesh.globals[index].get();
        if let Some(device) = self.executor.device() {
            device.absorb_into(index, &mut value)?;
        }
        Ok(value)
    }

    /// Gives a global a new value. Reductions start from the value that the global has.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] for a global of another `Op2`.
    pub fn set<G: Copy + 'static>(&mut self, global: Global<G>, value: G) -> Result<()> {
        let index = self.mesh.index(global.id, "global")?;
        *self.mesh.globals[index].get_mut() = value;
        if let Some(device) = self.executor.device_mut() {
            device.forget(index);
        }
        Ok(())
    }

    /// Pins the strategy of all loops with this kernel. Stronger than [`Config::strategy`]; what the environment variable
    /// `OP2_STRATEGY` or [`Config::strategies`] say of the loop is stronger still, so that who starts a program has the last
    /// word.
    ///
    /// # Errors
    /// [`Error::EmptyBlock`] for a strategy without elements per block, [`Error::DeviceStrategy`] for one that only devices have.
    pub fn pin(&mut self, kernel: &str, strategy: Strategy) -> Result<()> {
        let backend = self.backend();
        self.rules.pin(kernel, strategy, backend)
    }

    /// The strategy that loops with this kernel follow.
    pub(crate) fn strategy_of(&self, kernel: &str) -> Strategy {
        self.rules.of(kernel)
    }

    /// Where loops run.
    pub fn backend(&self) -> Backend {
        self.executor.backend()
    }

    /// What the loops did so far, next to the bandwidth of the machine, which is measured by this
    /// call (it takes a fraction of a second).
    pub fn report(&self) -> Report {
        let (name, threads) = match self.backend() {
            Backend::Seq => ("seq", 1),
            Backend::Threads(threads) => ("threads", threads),
            Backend::Cuda(_) | Backend::CudaEmu => (self.executor.device().map_or("", Machine::name), 0),
        };
        let mut stats = self.stats.clone();
        if let Some(device) = self.executor.device() {
            // A device that failed has said so before; its loops then show the time that is known.
            let _ = device.add_seconds(&mut stats);
        }
        let mut report = Report::new(name, threads, self.executor.triad(), &stats);
        report.chains = self.chains.rows(&stats);
        report.ends = self.chains.ends(&stats, &self.mesh);
        report.unused = self.rules.unused(|kernel| stats.iter().any(|s| s.place().0 == kernel));
        report
    }

    /// Forgets what the loops did so far; plans stay, and what the report says of them.
    pub fn reset_report(&mut self) {
        self.stats.iter_mut().for_each(LoopStats::restart);
        self.chains.restart();
        if let Some(device) = self.executor.device_mut() {
            device.forget_timings();
        }
    }
}
