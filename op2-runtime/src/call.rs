//! One call of a loop: what the macros' code binds to it, the checks, the plan, the run. Here stands only what depends on the
//! types of handles and values.

pub(crate) mod chain;
mod check;
mod choose;
mod choose_device;
pub(crate) mod context;
mod device;
pub(crate) mod executor;
mod host;
mod instructions;
pub(crate) mod pairs;
mod plan;
mod run;
mod state;

use crate::data::idx::Elements;
use crate::data::numbering::Numbers;
use crate::data::place::Presence;
use crate::data::reduce::{Absorb, Reduce};
use crate::data::row::RowsView;
use crate::data::table::TableView;
use crate::data::value::{Elem, Value};
use crate::data::view::{MapView, View};
use crate::desc::LoopDesc;
use crate::error::{Error, Fault, Result};
use crate::exec::body::Body;
use crate::exec::work::{WithParts, Work};
use crate::mesh::bindings::{Param, Reduction};
use crate::mesh::handle::{DatOn, Global, GlobalOf, Holds, IterSet, MapFrom, RowsFrom};
use crate::plan::Plan;
use context::Context;
use device::OnDevice;
use executor::Executor;
use host::OnHost;
use op2_core::{Access, Combine};
use run::execute;
use state::CallState;
use std::marker::PhantomData;
use std::sync::Arc;

/// Replaces a loop whose faults the macros have reported, so that the code around it still has its type.
pub fn refused<T>() -> Result<T> {
    unreachable!("a loop with faults does not compile")
}

/// A loop being called, over elements of the set with the tag `S`. Faults found while binding are kept and reported by
/// [`Call::run`], so that the generated code needs no early return.
pub struct Call<'a, S> {
    state: CallState<'a>,
    tag: PhantomData<fn() -> S>,
}

impl<'a, S> Call<'a, S> {
    /// Starts a call. `refused` is an error from before, which [`Call::run`] reports.
    pub(crate) fn start(
        context: &'a mut Context,
        desc: &'static LoopDesc,
        over: impl IterSet<Tag = S>,
        refused: Option<Error>,
    ) -> Self {
        Call { state: CallState::start(context, desc, over.iterates(), refused), tag: PhantomData }
    }
}

impl<S> Call<'_, S> {
    /// Binds a direct dat argument. `_value` states the value type that the kernel wants.
    pub fn direct<V: Value, D: DatOn<S, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        dat: D,
    ) -> View<V> {
        let dat = self.state.direct(arg, access, (dat.id(), D::IS_MAP));
        self.view(dat)
    }

    /// Binds a map that arguments go through.
    pub fn map<M: MapFrom<S>>(&mut self, arg: usize, map: M) -> M::Bound {
        map.bound(self.state.map(arg, map.id()))
    }

    /// Binds a dat argument through one entry of a map. The map comes first, so that the compiler complains about a dat
    /// on the wrong set, not about the map.
    pub fn entry<V: Value, T, const A: usize, M: Presence, D: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        map: MapView<T, A, M>,
        index: usize,
        dat: D,
    ) -> View<V> {
        let place = map.place().filter(|&m| self.state.has_entry(arg, m, A, index));
        let dat = self.state.through(arg, access, (dat.id(), D::IS_MAP), place, index..index + 1);
        self.view(dat)
    }

    /// Binds a dat argument through all entries of a map.
    pub fn entries<V: Value, T, const A: usize, M: Presence, D: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        map: MapView<T, A, M>,
        dat: D,
    ) -> View<V> {
        let dat = self.state.through(arg, access, (dat.id(), D::IS_MAP), map.place(), 0..A);
        self.view(dat)
    }

    /// Binds a map whose rows an argument takes as wholes.
    pub fn rows<R: RowsFrom<S>>(&mut self, arg: usize, rows: R) -> RowsView<R::To> {
        RowsView::new(self.state.rows(arg, rows.id()))
    }

    /// The elements of the rows of a map, as indices.
    pub fn row_elements<T>(&mut self, rows: RowsView<T>) -> Elements<T> {
        if let Some((map, _)) = rows.place() {
            self.state.as_elements(self.state.context.mesh.maps[map].to);
        }
        Elements::new()
    }

    /// Binds a dat argument through whole rows.
    pub fn row<V: Value, T, D: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        rows: RowsView<T>,
        dat: D,
    ) -> View<V> {
        let (place, longest) = rows.place().unzip();
        let dat = self.state.through(arg, access, (dat.id(), D::IS_MAP), place, 0..longest.unwrap_or(0));
        self.view(dat)
    }

    /// Binds all values of a dat as a table.
    pub fn table<V: Value, T, D: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        _value: PhantomData<V>,
        dat: D,
    ) -> TableView<T, V> {
        let Some(dat) = self.state.table(arg, (dat.id(), D::IS_MAP)) else {
            return TableView::new(View::nothing(), 0, Numbers::of_set(None));
        };
        let mesh = &mut self.state.context.mesh;
        let set = mesh.dats[dat].set;
        TableView::new(mesh.view(dat), mesh.sets[set].size, mesh.numbers(set))
    }

    /// The user's numbers of the loop's elements.
    pub fn numbers(&mut self) -> Numbers {
        self.state.numbers_of(self.state.set)
    }

    /// Checks an index through a map, and returns the user's numbers of the target set.
    pub fn index<T, const A: usize, M: Presence>(
        &mut self,
        arg: usize,
        map: MapView<T, A, M>,
        index: usize,
    ) -> Numbers {
        let Some(m) = map.place() else { return Numbers::of_set(None) };
        self.state.has_entry(arg, m, A, index);
        self.state.indices(arg, m, index..index + 1)
    }

    /// The same for all entries of a map.
    pub fn indices<T, const A: usize, M: Presence>(&mut self, arg: usize, map: MapView<T, A, M>) -> Numbers {
        map.place().map_or_else(|| Numbers::of_set(None), |map| self.state.indices(arg, map, 0..A))
    }

    /// The elements of the loop, as indices.
    pub fn elements(&mut self) -> Elements<S> {
        self.state.as_elements(self.state.set);
        Elements::new()
    }

    /// The elements that a map leads to, as indices.
    pub fn element<T, const A: usize, M: Presence>(
        &mut self,
        arg: usize,
        map: MapView<T, A, M>,
        index: usize,
    ) -> Elements<T> {
        if let Some(map) = map.place() {
            self.state.has_entry(arg, map, A, index);
            self.state.elements_of_map(arg, map, index..index + 1);
        }
        Elements::new()
    }

    /// The elements that all entries of a map lead to, as indices.
    pub fn elements_of_map<T, const A: usize, M: Presence>(
        &mut self,
        arg: usize,
        map: MapView<T, A, M>,
    ) -> Elements<T> {
        if let Some(map) = map.place() {
            self.state.elements_of_map(arg, map, 0..A);
        }
        Elements::new()
    }

    /// Binds a global that the kernel reads.
    pub fn global<G: Value, H: GlobalOf<G>>(&mut self, arg: usize, _value: PhantomData<G>, global: H) -> G {
        let Some(index) = self.state.bind_global(arg, Access::Read, global.handle().id) else {
            return G::splat(Default::default());
        };
        let Context { mesh, executor, .. } = &mut *self.state.context;
        let Some(device) = executor.device_mut() else { return *mesh.globals[index].get() };
        let settled = device.settle(mesh, index);
        let value: G = *mesh.globals[index].get();
        let bytes = G::Elem::bytes(value.components()).to_vec();
        self.state.bound.more.params.push(Param { arg, elem: G::Elem::TYPE, bytes });
        if let Err(cause) = settled {
            self.state.fail(Some(arg), Fault::Device(cause));
        }
        value
    }

    /// Binds a length of a generic kernel, which texts for devices have to know.
    pub fn length<const N: usize>(&mut self, _length: PhantomData<[(); N]>) {
        if self.state.context.executor.device_mut().is_some() {
            self.state.bound.more.lens.push(N);
        }
    }

    /// Binds a global that the loop reduces into; it gets its result by [`Results::reduce`](crate::exec::body::Results::reduce).
    pub fn reduction<By, G: Reduce<By>, H: GlobalOf<G>>(
        &mut self,
        arg: usize,
        how: Combine,
        _value: PhantomData<(By, G)>,
        global: H,
    ) -> Global<G> {
        let index = self.state.bind_global(arg, how.into(), global.handle().id);
        if let Some(index) = index
            && self.state.context.executor.device().is_some()
        {
            let absorb: Absorb = |value, slots| {
                let value: &mut G = value.downcast_mut().expect("a typed handle leads to data of its type");
                value.absorb(&G::from_slots(slots));
            };
            self.state.reduce_on_device(Reduction { arg, elem: G::ELEM, global: index, how, slots: G::SLOTS, absorb });
        }
        global.handle()
    }

    /// Checks that an argument with the same text as an earlier one has the same handle or index, since the two share a
    /// view.
    pub fn one_handle<H: PartialEq>(&mut self, arg: usize, what: &'static str, first: usize, a: &H, b: &H) {
        if a != b {
            self.state.two_handles(arg, what, first);
        }
    }

    /// Checks, plans and runs the loop, and hands its globals the results of its reductions. On a device the results stay there
    /// until they are asked for.
    ///
    /// # Errors
    /// [`Error::Loop`](crate::Error::Loop) says what kept the loop from running; nothing was changed then.
    pub fn run<B: Body>(&mut self, body: B) -> Result<()> {
        run_here(&mut self.state, &mut WithParts::new(body))
    }

    /// The plan that the threads executor uses for this loop, built or from the cache.
    ///
    /// # Errors
    /// As [`Call::run`].
    pub fn plan(&mut self) -> Result<Arc<Plan>> {
        self.state.plan()
    }

    fn view<V: Value>(&mut self, dat: Option<usize>) -> View<V> {
        dat.map_or_else(View::nothing, |dat| self.state.context.mesh.view(dat))
    }
}

/// Runs a loop whose arguments are bound, where the executor runs loops. Not generic, so that it is compiled once.
fn run_here(state: &mut CallState<'_>, work: &mut dyn Work) -> Result<()> {
    match state.context.executor {
        Executor::Seq | Executor::Threads(_) => execute(OnHost { call: state, work }),
        Executor::Device(_) => execute(OnDevice { call: state, search: None }),
    }
}
