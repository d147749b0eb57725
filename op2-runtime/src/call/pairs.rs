//! A call of a loop over pairs: the elements of one side outside, and for each of them its partners of the other side.
//!
//! A loop that modifies elements outside alone has no races and is planned like one over their set. One that combines into elements
//! inside runs by overlapped tiles. A device searches by the same grid.

use super::context::{Context, KeptPatches};
use super::device::OnDevice;
use super::executor::Executor;
use super::run::execute;
use super::state::CallState;
use super::{Call, run_here};
use crate::data::idx::Elements;
use crate::data::numbering::Numbers;
use crate::data::value::Value;
use crate::data::view::{Invariant, View};
use crate::desc::LoopDesc;
use crate::device::pairs::{Asked, Way};
use crate::error::{Error, Fault, Result};
use crate::exec::body::{Body, Course, Results};
use crate::exec::work::{WithParts, Work};
use crate::exec::{Tiles, run_patches};
use crate::mesh::bindings::BoundDat;
use crate::mesh::handle::{DatOn, End, Holds, Id, IterPairs, Iterates, Outside, WritesFrom, WritesTo};
use crate::pairs::PairView;
use crate::plan::key::Wanted;
use crate::plan::{Division, Patches};
use crate::strategy::{Resolution, Strategy};
use op2_core::Access;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Instant;

/// A loop over pairs being called, between elements of `F` and `T`, those of `O` outside, which is the side `S`. It dereferences to the
/// [`Call`] of a loop over the elements outside.
pub struct PairCall<'a, F, T, O, S, V> {
    call: Call<'a, O>,
    tag: Invariant<(F, T, S, V)>,
}

/// The call of a loop over the pairs `P`.
pub type CallOf<'a, P> = PairCall<
    'a,
    <P as IterPairs>::From,
    <P as IterPairs>::To,
    <P as IterPairs>::Outer,
    <P as IterPairs>::Outside,
    <P as IterPairs>::View,
>;

/// Starts a call. `refused` is an error from before, which [`PairCall::run`] reports.
pub(crate) fn start<'a, P: IterPairs>(
    context: &'a mut Context,
    desc: &'static LoopDesc,
    over: P,
    refused: Option<Error>,
) -> CallOf<'a, P> {
    let iterates = Iterates::Pairs(over.id(), P::Outside::END);
    let state = CallState::start(context, desc, iterates, refused);
    PairCall { call: Call { state, tag: PhantomData }, tag: PhantomData }
}

impl<'a, F, T, O, S, V> Deref for PairCall<'a, F, T, O, S, V> {
    type Target = Call<'a, O>;

    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl<F, T, O, S, V> DerefMut for PairCall<'_, F, T, O, S, V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.call
    }
}

impl<F, T, O, S: Outside, const D: usize> PairCall<'_, F, T, O, S, PairView<D>> {
    /// The side outside, as a type.
    pub fn outside(&self) -> PhantomData<S> {
        PhantomData
    }

    /// Brings the search up to date. This comes before the arguments: values that the loop changes count from the next call on.
    pub fn pairs(&mut self) -> PairView<D> {
        match self.call.state.search::<D>() {
            Some(view) => view,
            None => PairView::new(None),
        }
    }

    /// Binds a dat argument on the elements that the pairs lead from.
    pub fn from<V: Value, A: DatOn<F, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        dat: A,
    ) -> View<V> {
        let dat = self.call.state.end(arg, access, (dat.id(), A::IS_MAP), End::From);
        self.call.view(dat)
    }

    /// The same for an argument that is written, which only elements outside may be.
    pub fn from_written<V: Value, A: DatOn<F, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        value: PhantomData<V>,
        dat: A,
    ) -> View<V>
    where
        S: WritesFrom,
    {
        self.from(arg, access, value, dat)
    }

    /// Binds a dat argument on the elements that the pairs lead to.
    pub fn to<V: Value, A: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        dat: A,
    ) -> View<V> {
        let dat = self.call.state.end(arg, access, (dat.id(), A::IS_MAP), End::To);
        self.call.view(dat)
    }

    /// The same for an argument that is written, which only elements outside may be.
    pub fn to_written<V: Value, A: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        value: PhantomData<V>,
        dat: A,
    ) -> View<V>
    where
        S: WritesTo,
    {
        self.to(arg, access, value, dat)
    }

    /// The user's numbers of the elements that the pairs lead from.
    pub fn numbers_from(&mut self) -> Numbers {
        self.call.state.numbers_of_end(End::From)
    }

    /// The user's numbers of the elements that the pairs lead to.
    pub fn numbers_to(&mut self) -> Numbers {
        self.call.state.numbers_of_end(End::To)
    }

    /// The elements that the pairs lead from, as indices.
    pub fn elements_from(&mut self) -> Elements<F> {
        self.call.state.as_elements_of_end(End::From);
        Elements::new()
    }

    /// The elements that the pairs lead to, as indices.
    pub fn elements_to(&mut self) -> Elements<T> {
        self.call.state.as_elements_of_end(End::To);
        Elements::new()
    }

    /// Checks, plans and runs the loop, as [`Call::run`].
    ///
    /// # Errors
    /// As [`Call::run`].
    pub fn run<B: Body>(&mut self, body: B) -> Result<()> {
        let state = &mut self.call.state;
        let mut work = WithParts::new(body);
        match state.context.executor {
            Executor::Threads(_) if state.combines_inside() => state.run_in_patches::<D>(&mut work)?,
            Executor::Seq | Executor::Threads(_) => run_here(state, &mut work)?,
            Executor::Device(_) => return state.run_on_device::<D>(),
        }
        state.count_pairs::<D>();
        Ok(())
    }
}

impl CallState<'_> {
    /// The pairs that the loop runs over, and the side outside.
    fn over_pairs(&self) -> Option<(usize, End)> {
        match self.iterates {
            Iterates::Pairs(id, outside) => self.context.mesh.index(id, "pairs").ok().map(|pairs| (pairs, outside)),
            Iterates::Set(_) | Iterates::Subset(_) => None,
        }
    }

    /// Whether the loop combines into elements that lie inside.
    pub(super) fn combines_inside(&self) -> bool {
        self.bound.dats.iter().any(|bound| bound.inside && bound.access.modifies())
    }

    /// A view of the grid of the loop's pairs, made anew if it is out of date.
    fn search<const D: usize>(&mut self) -> Option<PairView<D>> {
        let (pairs, outside) = self.over_pairs()?;
        if self.fault.is_some() {
            return None;
        }
        for dat in self.context.mesh.dats_of_pairs::<D>(pairs).into_iter().flatten() {
            let Context { mesh, executor, .. } = &mut *self.context;
            if let Some(device) = executor.device_mut()
                && let Err(cause) = device.settle_dat(mesh, dat)
            {
                self.fail(None, Fault::Device(cause));
                return None;
            }
        }
        let inside = outside.other();
        let (view, made) = match self.context.mesh.searched::<D>(pairs, inside) {
            Ok(searched) => (PairView::new(Some(searched.grid)), searched.seconds.zip(Some(searched.grid.bytes()))),
            Err(error) => {
                self.keep(error);
                return None;
            }
        };
        if let Some((seconds, bytes)) = made {
            self.stats().made_grid(seconds, bytes);
        }
        Some(view)
    }

    /// Binds a dat argument on the elements of one side.
    fn end(&mut self, arg: usize, access: Access, dat: (Id, bool), end: End) -> Option<usize> {
        let (pairs, outside) = self.over_pairs()?;
        let set = self.context.mesh.pairs[pairs].ends[end as usize];
        let dat = self.dat(arg, dat)?;
        self.expect_set(arg, "dat", dat, self.context.mesh.dats[dat].set, set);
        self.bind(BoundDat { arg, dat, access, through: None, inside: end != outside, whole: false, apart: false });
        Some(dat)
    }

    fn as_elements_of_end(&mut self, end: End) {
        if let Some((pairs, _)) = self.over_pairs() {
            self.as_elements(self.context.mesh.pairs[pairs].ends[end as usize]);
        }
    }

    fn numbers_of_end(&mut self, end: End) -> Numbers {
        match self.over_pairs() {
            Some((pairs, _)) => self.numbers_of(self.context.mesh.pairs[pairs].ends[end as usize]),
            None => Numbers::of_set(None),
        }
    }

    /// Runs the loop by overlapped tiles.
    fn run_in_patches<const D: usize>(&mut self, work: &mut dyn Work) -> Result<()> {
        self.check()?;
        let pin = self.context.pin_of(self.desc.kernel);
        let (patches, made) = self.patches::<D>(Division::on_host(tiles(pin.strategy), self.context.patch_devices))?;
        let start = Instant::now();
        let inspected = self.inspected(Wanted::Nothing)?;
        let layout = self.layout();
        let by = self.instructions(pin.isa, &inspected, None, layout);
        let Context { mesh, scratch, executor, .. } = &mut *self.context;
        let workers = executor.pool().map_or(1, rayon_core::ThreadPool::current_num_threads);
        let tiles = Tiles::new(&patches, mesh, &self.bound.dats, scratch, workers)?;
        let course = Course { layout, list: None, form: None, isa: by.isa, streams: 0, ahead: None, redirected: None };
        let exchanged = patches.between_devices.as_ref().map(|_| tiles.exchanged_bytes());
        let (bytes, combining) = (tiles.bytes(), run_patches(work, executor.pool(), course, &tiles));
        work.end(&mut Results::of(&mut self.context.mesh));
        let seconds = start.elapsed().as_secs_f64();
        let (strategy, useful_bytes, desc) = (pin.strategy, inspected.useful_bytes(), self.desc);
        self.stats().by(by.isa, by.asked, || desc.one_at_a_time());
        let followed = strategy.scheme().is_none_or(|scheme| scheme.resolution == Resolution::Tiles);
        let note = (!followed).then_some("overlapped tiles: another strategy would have to know all pairs before");
        self.stats().in_patches(patches.size(), patches.len(), made, note);
        if let Some(exchanged) = exchanged {
            let devices = self.context.patch_devices;
            self.stats().on_devices(devices, exchanged);
        }
        self.stats().combined(bytes, combining);
        self.stats().record(seconds, useful_bytes);
        Ok(())
    }

    /// The patches of the loop, and the seconds that making them took, if they were made now.
    fn patches<const D: usize>(&mut self, division: Division) -> Result<(Arc<Patches>, Option<f64>)> {
        let Some((pairs, outside)) = self.over_pairs() else { unreachable!("a call without faults has pairs") };
        let Context { mesh, patches, .. } = &mut *self.context;
        let Some((stamp, grid)) = mesh.last_grid::<D>(pairs, outside.other()) else { unreachable!("a grid was made") };
        let key = (pairs, outside, division.copies);
        match patches.get(&key) {
            Some(kept) if (kept.stamp, kept.division) == (*stamp, division) => Ok((kept.patches.clone(), None)),
            _ => {
                let start = Instant::now();
                let inner = mesh.sets[mesh.pairs[pairs].ends[outside.other() as usize]].size;
                let new = Arc::new(Patches::new(grid, inner, division)?);
                patches.insert(key, KeptPatches { stamp: *stamp, division, patches: new.clone() });
                Ok((new, Some(start.elapsed().as_secs_f64())))
            }
        }
    }

    /// Runs the loop on the device.
    fn run_on_device<const D: usize>(&mut self) -> Result<()> {
        self.check()?;
        let strategy = self.context.pin_of(self.desc.kernel).strategy;
        let combines = self.combines_inside();
        let Some(state) = self.context.executor.device() else { unreachable!("executors do not change") };
        let (way, note) = Way::of(self.desc.device(state.target()), combines, strategy, state.wave());
        let patches = match way {
            Way::Shared => Some(self.patches::<D>(Division::on_device(tiles(strategy), combines))?.0),
            Way::Single { .. } => None,
        };
        let useful_bytes = self.inspected(Wanted::Nothing)?.useful_bytes();
        let Some((pairs, outside)) = self.over_pairs() else { unreachable!("a call without faults has pairs") };
        let Context { mesh, executor, .. } = &mut *self.context;
        let Some((stamp, grid)) = mesh.last_grid::<D>(pairs, outside.other()) else { unreachable!("a grid was made") };
        let asked = Asked { pairs, outside, stamp: *stamp, grid, patches, way, combines, note, useful_bytes };
        let Some(state) = executor.device_mut() else { unreachable!("executors do not change") };
        let search = state.searched(asked).map_err(|e| match e {
            Error::Device(cause) => self.error(None, Fault::Device(cause)),
            other => other,
        })?;
        execute(OnDevice { call: self, search: Some(search) })?;
        // The device counts pairs, and a report asks for the counts.
        self.add_search();
        Ok(())
    }

    /// Adds the pairs of an execution to the report.
    fn count_pairs<const D: usize>(&mut self) {
        let Some((pairs, outside)) = self.over_pairs() else { return };
        let Some((_, grid)) = self.context.mesh.last_grid::<D>(pairs, outside.other()) else { return };
        let counts = grid.take_counts();
        self.add_search();
        self.stats().met(counts);
    }

    /// Adds an execution to the report, but for the pairs that met.
    fn add_search(&mut self) {
        let (inside, flops) = (self.inside_bytes() + self.row_bytes(), self.desc.flops.into());
        self.stats().searched(inside, flops);
    }

    /// Bytes of the rows, if these are what makes pairs.
    fn row_bytes(&self) -> u64 {
        let Some((pairs, outside)) =
            self.over_pairs().filter(|(pairs, _)| self.context.mesh.pairs[*pairs].dimensions == 0)
        else {
            return 0;
        };
        self.context.mesh.last_grid::<0>(pairs, outside.other()).map_or(0, |(_, grid)| grid.bytes() as u64)
    }

    /// Useful bytes of the elements inside.
    fn inside_bytes(&self) -> u64 {
        let bytes = |bound: &BoundDat| {
            let dat = &self.context.mesh.dats[bound.dat];
            let times = if bound.access.modifies() { 2 } else { 1 };
            (self.context.mesh.sets[dat.set].size * dat.bytes * times) as u64
        };
        self.bound.dats.iter().filter(|bound| bound.inside).map(bytes).sum()
    }
}

/// The size of tiles that a strategy states.
fn tiles(strategy: Strategy) -> Option<usize> {
    strategy.scheme().filter(|scheme| scheme.resolution == Resolution::Tiles).map(|scheme| scheme.size)
}
