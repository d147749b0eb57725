//! [`Op2`]: the mesh, the executor and the plans of one computation.

mod between;
mod decisions;
mod grow;
mod loops;
mod maps;
mod order;
mod progress;
mod reorder;
mod values;

pub use between::Filled;

use crate::call::context::Context;
use crate::call::executor::Executor;
use crate::config::{self, Backend, Config};
use crate::data::layout::Layout;
use crate::data::value::Value;
use crate::decide::{Chooser, Rules};
use crate::error::Result;
use crate::isa::Isa;
use crate::lanes::Ahead;
use crate::mesh::Mesh;
use crate::mesh::handle::{Dat, Global, Map, OptMap, Pairs, Rows, Set, SetTag, Subset};
use crate::mesh::pairs::Within;
use crate::mesh::rows::Index;
use crate::plan::cache::{PlanCache, Settings};
use crate::report::passes::Chains;
use crate::report::{LoopStats, Report};
use crate::strategy::Pin;
use order::Order;
use rustc_hash::FxHashMap;
use std::any::TypeId;

/// The mesh, its data, and the loops over them.
///
/// Sets, maps, dats and globals are declared on it and stay inside; what the user holds are typed
/// handles. `op_par_loop!` runs loops on it.
pub struct Op2 {
    pub(crate) context: Context,
    layout: Layout,
    shuffle: Option<u64>,
    order: Order,
}

impl Op2 {
    /// An empty mesh with the given set-up.
    ///
    /// # Errors
    /// [`Error::Threads`](crate::Error::Threads) for zero threads, or if the system cannot start them,
    /// [`Error::EmptyBlock`](crate::Error::EmptyBlock) for a strategy without elements per block,
    /// [`Error::DeviceStrategy`](crate::Error::DeviceStrategy) for a strategy that only devices have if loops run on
    /// the CPU, [`Error::Strategies`](crate::Error::Strategies) if `OP2_STRATEGY` does not parse as
    /// [`Strategies`](crate::Strategies), [`Error::Isa`](crate::Error::Isa) for instructions that this processor lacks,
    /// or if `OP2_ISA` names none, [`Error::Device`](crate::Error::Device) if there is no GPU or no compiler for it.
    pub fn with(config: Config) -> Result<Self> {
        let variable = std::env::var_os(Rules::VARIABLE).map(|text| text.to_string_lossy().into_owned());
        let rules = Rules {
            given: config.strategies,
            environment: Rules::environment(variable.as_deref())?,
            pinned: FxHashMap::default(),
            default: config.strategy,
        };
        rules.check(config.backend)?;
        let isa = config::instructions(config.isa, config.backend)?;
        let kernel_checks = config.device_checks || config.emulation.kernel_checks;
        let emulation = op2_device::Options { kernel_checks, ..config.emulation };
        let executor = Executor::new(config.backend, emulation)?;
        let asks_ahead = executor.device().is_none() && isa != Some(Isa::Scalar) && Ahead::IS_POSSIBLE;
        let settings = Settings {
            hardware: config.hardware,
            verify: config.verify,
            ahead_from: asks_ahead.then_some(config.ahead_from),
        };
        let context = Context {
            mesh: Mesh::new(),
            executor,
            plans: PlanCache::new(settings),
            patches: FxHashMap::default(),
            scratch: Vec::new(),
            stats: Vec::new(),
            stats_of: FxHashMap::default(),
            chains: Chains::default(),
            short_loops: config.short_loops,
            patch_devices: config.patch_devices,
            isa,
            widest: Isa::best(),
            rules,
            chooser: Chooser::new(config.cache_dir),
        };
        let order = Order::new(config.ordering, config.backend);
        Ok(Op2 { context, layout: config.layout, shuffle: config.shuffle, order })
    }

    /// An empty mesh with [`Config::default`].
    ///
    /// # Errors
    /// As [`Op2::with`].
    pub fn new() -> Result<Self> {
        Self::with(Config::default())
    }

    /// Declares a set of `size` elements. The type parameter is a tag of `op2::sets!`; several sets
    /// may have the same tag (the levels of a multigrid). A call that mixes such sets fails.
    ///
    /// # Errors
    /// [`Error::SetTooLarge`](crate::Error::SetTooLarge) beyond `u32::MAX` elements.
    pub fn decl_set<S: SetTag>(&mut self, name: &str, size: usize) -> Result<Set<S>> {
        let seed = self.shuffle.map(|seed| seed.wrapping_add(self.context.mesh.sets.len() as u64));
        let index = self.context.mesh.add_set_of((TypeId::of::<S>(), S::NAME), name, size, seed)?;
        Ok(Set::at(self.context.mesh.id, index))
    }

    /// Declares a subset by its elements, in the order in which the sequential executor runs them until the mesh is
    /// [reordered](Op2::reorder).
    ///
    /// # Errors
    /// [`Error::SubsetEntry`](crate::Error::SubsetEntry) for an element that does not exist or comes twice,
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a set of another `Op2`.
    pub fn decl_subset<S: SetTag, I: Index>(&mut self, name: &str, set: Set<S>, elements: &[I]) -> Result<Subset<S>> {
        let set = self.context.mesh.index(set.id, "set")?;
        let index = self.context.mesh.add_subset(name, set, elements)?;
        Ok(Subset::at(self.context.mesh.id, index))
    }

    /// Declares a map: for each element of `from` the `A` elements of `to` that belong to it.
    /// Entries may be any integers; [`rows`](crate::rows()) makes rows of flat data.
    ///
    /// # Errors
    /// [`Error::Rows`](crate::Error::Rows) unless there is one row per element of `from`,
    /// [`Error::MapEntry`](crate::Error::MapEntry) for an entry that is not an element of `to`,
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for sets of another `Op2`.
    pub fn decl_map<F: SetTag, T: SetTag, I: Index, const A: usize>(
        &mut self,
        name: &str,
        from: Set<F>,
        to: Set<T>,
        entries: &[[I; A]],
    ) -> Result<Map<F, T, A>> {
        let from = self.context.mesh.index(from.id, "set")?;
        let to = self.context.mesh.index(to.id, "set")?;
        let index = self.context.mesh.add_map(name, from, to, entries, self.context.executor.pool())?;
        Ok(Map::at(self.context.mesh.id, index))
    }

    /// Replaces the entries of a map. Plans built for the old entries are not used again.
    ///
    /// # Errors
    /// As [`Op2::decl_map`]; the old entries stay.
    pub fn set_map<F, T, I: Index, const A: usize>(&mut self, map: Map<F, T, A>, entries: &[[I; A]]) -> Result<()> {
        let index = self.context.mesh.index(map.id, "map")?;
        self.context.mesh.replace_map(index, entries, self.context.executor.pool())?;
        self.entries_changed(index);
        Ok(())
    }

    /// Declares a map whose entries may be missing: for each element of `from` up to `A` elements of `to`.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)]
    /// # enum Edges {}
    /// # impl SetTag for Edges { const NAME: &'static str = "Edges"; }
    /// # #[derive(Clone, Copy)]
    /// # enum Cells {}
    /// # impl SetTag for Cells { const NAME: &'static str = "Cells"; }
    /// let mut op = Op2::new()?;
    /// let edges = op.decl_set::<Edges>("edges", 3)?;
    /// let cells = op.decl_set::<Cells>("cells", 2)?;
    /// // Two cells in a row: the first and the last edge have one on one side only.
    /// op.decl_opt_map("sides", edges, cells, &[[None, Some(0)], [Some(0), Some(1)], [Some(1), None]])?;
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Op2::decl_map`], for the entries that are there.
    pub fn decl_opt_map<F: SetTag, T: SetTag, I: Index, const A: usize>(
        &mut self,
        name: &str,
        from: Set<F>,
        to: Set<T>,
        entries: &[[Option<I>; A]],
    ) -> Result<OptMap<F, T, A>> {
        let from = self.context.mesh.index(from.id, "set")?;
        let to = self.context.mesh.index(to.id, "set")?;
        let index = self.context.mesh.add_map(name, from, to, entries, self.context.executor.pool())?;
        Ok(OptMap::at(self.context.mesh.id, index))
    }

    /// Replaces the entries of a map whose entries may be missing. Plans built for the old entries are not used again.
    ///
    /// # Errors
    /// As [`Op2::decl_opt_map`]; the old entries stay.
    pub fn set_opt_map<F, T, I: Index, const A: usize>(
        &mut self,
        map: OptMap<F, T, A>,
        entries: &[[Option<I>; A]],
    ) -> Result<()> {
        let index = self.context.mesh.index(map.id, "map")?;
        self.context.mesh.replace_map(index, entries, self.context.executor.pool())?;
        self.entries_changed(index);
        Ok(())
    }

    /// Declares a map whose rows have any length: element `e` of `from` has the elements `targets[offsets[e]..offsets[e + 1]]` of `to`.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)]
    /// # enum Verts {}
    /// # impl SetTag for Verts { const NAME: &'static str = "Verts"; }
    /// let mut op = Op2::new()?;
    /// let verts = op.decl_set::<Verts>("vertices", 4)?;
    /// // A star: the first vertex has three neighbours, each other one has the first.
    /// op.decl_rows("ring", verts, verts, &[0, 3, 4, 5, 6], &[1, 2, 3, 0, 0, 0])?;
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::RowStart`](crate::Error::RowStart) unless offsets go from 0 to the number of targets and never fall, one for each
    /// element of `from` and one behind the last, [`Error::MapEntry`](crate::Error::MapEntry) for a target that is not an element of
    /// `to`, [`Error::OtherMesh`](crate::Error::OtherMesh) for sets of another `Op2`.
    pub fn decl_rows<F: SetTag, T: SetTag, O: Index, I: Index>(
        &mut self,
        name: &str,
        from: Set<F>,
        to: Set<T>,
        offsets: &[O],
        targets: &[I],
    ) -> Result<Rows<F, T>> {
        let from = self.context.mesh.index(from.id, "set")?;
        let to = self.context.mesh.index(to.id, "set")?;
        let pool = self.context.executor.pool();
        let index = self.context.mesh.add_rows(name, (from, to), offsets, targets, pool)?;
        let pairs = self.context.mesh.add_row_pairs(index);
        Ok(Rows::at(self.context.mesh.id, [index, pairs]))
    }

    /// Replaces the rows of a map whose rows have any length. Plans built for the old ones are not used again.
    ///
    /// # Errors
    /// As [`Op2::decl_rows`]; the old rows stay.
    pub fn set_rows<F, T, O: Index, I: Index>(&mut self, rows: Rows<F, T>, offsets: &[O], targets: &[I]) -> Result<()> {
        let index = self.context.mesh.index(rows.id, "map")?;
        self.context.mesh.replace_rows(index, offsets, targets, self.context.executor.pool())?;
        self.entries_changed(index);
        Ok(())
    }

    /// Declares pairs of elements that meet in space, by a rule such as [`Within::boxes`]. They are not stored: a loop finds
    /// them as it runs, by a grid that is made when the dats of the rule have changed.
    ///
    /// # Errors
    /// [`Error::Pairs`](crate::Error::Pairs) for a margin, period or cell that is no length, or for a place that is not finite,
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for dats of another `Op2`.
    pub fn decl_pairs<F: SetTag, T: SetTag, const D: usize>(
        &mut self,
        name: &str,
        rule: Within<F, T, D>,
    ) -> Result<Pairs<F, T, D>> {
        for dat in rule.dats() {
            let dat = self.context.mesh.index(dat, "dat")?;
            self.settle(dat)?;
        }
        let index = self.context.mesh.add_pairs(name, &rule)?;
        Ok(Pairs::at(self.context.mesh.id, index))
    }

    /// Declares data on a set: one value for each element. Elements that come by [`Op2::grow`] get zeros.
    ///
    /// # Errors
    /// [`Error::Rows`](crate::Error::Rows) unless there is one value per element,
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a set of another `Op2`.
    pub fn decl_dat<S: SetTag, V: Value>(&mut self, name: &str, set: Set<S>, values: &[V]) -> Result<Dat<S, V>> {
        holds_values::<V>();
        let set = self.context.mesh.index(set.id, "set")?;
        let index = self.context.mesh.add_dat(name, set, self.layout, values, self.context.executor.pool())?;
        Ok(Dat::at(self.context.mesh.id, index))
    }

    /// Declares data on a set with the same value everywhere, which elements that come by [`Op2::grow`] get, too.
    ///
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a set of another `Op2`.
    pub fn decl_dat_filled<S: SetTag, V: Value>(&mut self, name: &str, set: Set<S>, value: V) -> Result<Dat<S, V>> {
        holds_values::<V>();
        let set = self.context.mesh.index(set.id, "set")?;
        let index = self.context.mesh.add_dat_by(name, set, self.layout, |_| value, self.context.executor.pool())?;
        self.context.mesh.set_fresh(index, value);
        Ok(Dat::at(self.context.mesh.id, index))
    }

    /// Declares a value that loops read or reduce into: a scalar, an array, or an
    /// [`ArgMin`](crate::ArgMin) or [`ArgMax`](crate::ArgMax).
    pub fn decl_global<G: Copy + Send + Sync + 'static>(&mut self, name: &str, value: G) -> Global<G> {
        let index = self.context.mesh.add_global(name, value);
        Global::at(self.context.mesh.id, index)
    }

    /// Number of elements of a set.
    ///
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a set of another `Op2`.
    pub fn size<S>(&self, set: Set<S>) -> Result<usize> {
        Ok(self.context.mesh.sets[self.context.mesh.index(set.id, "set")?].size)
    }

    /// The values of a dat, in the numbering in which they were declared. [`Op2::fetch_into`] takes memory for them,
    /// [`Op2::value`] an element.
    ///
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a dat of another `Op2`,
    /// [`Error::Device`](crate::Error::Device) if the values cannot be brought from the device.
    pub fn fetch<S, V: Value>(&self, dat: Dat<S, V>) -> Result<Vec<V>> {
        let mesh = &self.context.mesh;
        let index = mesh.index(dat.id, "dat")?;
        let host = mesh.scalars::<V>(index);
        let newer = self.newer::<V>(index, host.len())?;
        mesh.rows_in(index, newer.as_deref().unwrap_or(host))
    }

    /// Gives a dat new values. [`Op2::set_value`] changes one.
    ///
    /// # Errors
    /// [`Error::Rows`](crate::Error::Rows) unless there is one value per element (the old values stay),
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a dat of another `Op2`.
    pub fn set_data<S, V: Value>(&mut self, dat: Dat<S, V>, values: &[V]) -> Result<()> {
        let index = self.context.mesh.index(dat.id, "dat")?;
        self.context.mesh.set_rows(index, values)?;
        self.host_changed(index);
        Ok(())
    }

    /// Converts a dat to another layout; kernels never see it.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn set_layout<S, V: Value>(&mut self, dat: Dat<S, V>, layout: Layout) -> Result<()> {
        let index = self.context.mesh.index(dat.id, "dat")?;
        if self.context.mesh.dats[index].layout() != layout {
            let rows = self.fetch(dat)?;
            self.context.mesh.set_layout(index, layout, &rows, self.context.executor.pool())?;
            self.host_changed(index);
        }
        Ok(())
    }

    /// If a device has newer values of a dat, brings them to the host.
    fn settle(&mut self, dat: usize) -> Result<()> {
        let Some(device) = self.context.executor.device_mut() else { return Ok(()) };
        Ok(device.settle_dat(&mut self.context.mesh, dat)?)
    }

    /// If loops run on a device, tells it that the host has changed a dat.
    fn host_changed(&mut self, dat: usize) {
        if let Some(device) = self.context.executor.device_mut() {
            device.outdated(dat, self.context.mesh.dats[dat].memory().len());
        }
    }

    /// The value of a global.
    ///
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a global of another `Op2`,
    /// [`Error::Device`](crate::Error::Device) if the result of a reduction cannot be brought from the device.
    pub fn get<G: Copy + 'static>(&self, global: Global<G>) -> Result<G> {
        let index = self.context.mesh.index(global.id, "global")?;
        let mut value: G = *self.context.mesh.globals[index].get();
        if let Some(device) = self.context.executor.device() {
            device.absorb_into(index, &mut value)?;
        }
        Ok(value)
    }

    /// Gives a global a new value. Reductions start from the value that the global has.
    ///
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a global of another `Op2`.
    pub fn set<G: Copy + 'static>(&mut self, global: Global<G>, value: G) -> Result<()> {
        let index = self.context.mesh.index(global.id, "global")?;
        *self.context.mesh.globals[index].get_mut() = value;
        if let Some(device) = self.context.executor.device_mut() {
            device.forget(index);
        }
        Ok(())
    }

    /// Pins the strategy of all loops with this kernel, and on the CPU their instructions if it names some:
    /// `Strategy::blocks(256).by(Isa::Scalar)`. This overrides [`Config::strategy`]. The environment variable `OP2_STRATEGY` and
    /// [`Config::strategies`] override this, so that whoever starts a program has the last word.
    ///
    /// # Errors
    /// [`Error::EmptyBlock`](crate::Error::EmptyBlock) for a strategy without elements per block,
    /// [`Error::DeviceStrategy`](crate::Error::DeviceStrategy) for one that only devices have,
    /// [`Error::Isa`](crate::Error::Isa) for instructions that the processor lacks, or for any on a device.
    pub fn pin(&mut self, kernel: &str, strategy: impl Into<Pin>) -> Result<()> {
        let backend = self.backend();
        self.context.rules.pin(kernel, strategy.into(), backend)
    }

    /// Where loops run.
    pub fn backend(&self) -> Backend {
        self.context.executor.backend()
    }

    /// Reports the loops that ran so far, next to the bandwidth of the machine. The first call in a process measures this
    /// bandwidth for its number of threads, which takes a fraction of a second.
    pub fn report(&self) -> Report {
        let (name, threads) = self.context.executor.name();
        let mut stats = self.context.stats.clone();
        if let Some(device) = self.context.executor.device() {
            // If the device has failed, an earlier call has returned the error. Its loops show what is known so far.
            device.seconds().flatten().for_each(|(n, seconds)| stats[n].sampled(seconds));
            device.found().flatten().for_each(|(n, counts)| stats[n].met(counts));
        }
        let mut report = Report::new(name, threads, self.context.executor.triad(), &stats);
        report.orderings.clone_from(&self.order.rows);
        report.ordering_seconds = self.order.seconds;
        report.chains = self.context.chains.rows(&stats);
        report.ends = self.context.chains.ends(&stats, &self.context.mesh);
        report.unused = self.context.rules.unused(|kernel| stats.iter().any(|s| s.place().0 == kernel));
        report
    }

    /// Starts the report anew. Plans stay, and so does their part of the report.
    pub fn reset_report(&mut self) {
        self.context.stats.iter_mut().for_each(LoopStats::restart);
        self.context.chains.restart();
        if let Some(device) = self.context.executor.device_mut() {
            device.forget_executions();
        }
    }
}

/// Compiles for values of dats: indices are those of maps.
const fn holds_values<V: Value>() {
    const {
        assert!(
            !V::COMPLEMENT,
            "a dat holds no indices: an index that is kept is an entry of a map, `op.decl_opt_map(…)`"
        )
    };
}
