//! One call of a loop: what the macros' code binds to it, the checks, the plan, the run.

pub(crate) mod chain;
mod check;
mod choose;
mod choose_device;
pub(crate) mod context;
mod device;
pub(crate) mod executor;
mod host;
mod plan;
mod run;

use crate::data::reduce::{Absorb, Reduce};
use crate::data::value::{Elem, Value};
use crate::data::view::{MapView, View};
use crate::desc::LoopDesc;
use crate::error::{Error, Fault, Result};
use crate::exec::body::Body;
use crate::mesh::bindings::{Bindings, BoundDat, Param, Reduction};
use crate::mesh::handle::{DatOn, Global, GlobalOf, Holds, Id, IterSet, Iterates, MapFrom};
use crate::mesh::numbering::Numbers;
use crate::plan::Plan;
use crate::plan::key::Wanted;
use context::Context;
use device::OnDevice;
use executor::Executor;
use host::OnHost;
use op2_core::{Access, Combine};
use run::execute;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// Replaces a loop whose faults the macros have reported, so that the code around it still has its type.
pub fn refused<T>() -> Result<T> {
    unreachable!("a loop with faults does not compile")
}

/// A loop being called. Faults found while binding are kept and reported by [`Call::run`], so that
/// the generated code needs no early return.
pub struct Call<'a, S> {
    pub(crate) context: &'a mut Context,
    pub(crate) desc: &'static LoopDesc,
    pub(crate) iterates: Iterates,
    pub(crate) set: usize,
    pub(crate) bound: Bindings,
    fault: Option<Error>,
    tag: PhantomData<fn() -> S>,
}

impl<'a, S> Call<'a, S> {
    /// Starts a call.
    pub(crate) fn start(context: &'a mut Context, desc: &'static LoopDesc, over: impl IterSet<Tag = S>) -> Self {
        let iterates = over.iterates();
        let mut call =
            Call { context, desc, iterates, set: 0, bound: Bindings::default(), fault: None, tag: PhantomData };
        let (Iterates::Set(id) | Iterates::Subset(id)) = iterates;
        match call.place(id, "set", None) {
            Some(index) if matches!(iterates, Iterates::Subset(_)) => call.set = call.context.mesh.subsets[index].set,
            Some(index) => call.set = index,
            None => {}
        }
        if let Some(constant) = desc.captured.unset() {
            call.fail(None, Fault::ConstantUnset { constant });
        }
        call
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
        let Some(index) = self.place(dat.id(), "dat", Some(arg)) else { return View::nothing() };
        self.expect_set(arg, "dat", index, self.context.mesh.dats[index].set, self.set);
        self.bound.dats.push(BoundDat { arg, dat: index, access, through: None });
        self.context.mesh.view(index)
    }

    /// Binds a map that arguments go through.
    pub fn map<M: MapFrom<S>>(&mut self, arg: usize, map: M) -> M::Bound {
        let Some(index) = self.place(map.id(), "map", Some(arg)) else { return map.bound(None) };
        self.expect_set(arg, "map", index, self.context.mesh.maps[index].from, self.set);
        if self.context.executor.device().is_some() {
            self.bound.more.maps.push(index);
        }
        map.bound(Some((index, self.context.mesh.maps[index].entries.as_ptr())))
    }

    /// Binds a dat argument through one entry of a map. The map comes first, so that the compiler complains about a dat
    /// on the wrong set, not about the map.
    pub fn entry<V: Value, T, const A: usize, D: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        map: MapView<T, A>,
        index: usize,
        dat: D,
    ) -> View<V> {
        if let (Some(m), true) = (map.place(), index >= A) {
            let map = self.context.mesh.maps[m].name.clone();
            self.fail(Some(arg), Fault::MapIndex { map, arity: A, index });
            return View::nothing();
        }
        self.through(arg, access, dat, map, index..index + 1)
    }

    /// Binds a dat argument through all entries of a map.
    pub fn entries<V: Value, T, const A: usize, D: DatOn<T, Handle: Holds<V>>>(
        &mut self,
        arg: usize,
        access: Access,
        _value: PhantomData<V>,
        map: MapView<T, A>,
        dat: D,
    ) -> View<V> {
        self.through(arg, access, dat, map, 0..A)
    }

    /// The user's numbers of the loop's elements.
    pub fn numbers(&mut self) -> Numbers {
        self.numbers_of(self.set)
    }

    /// Checks an index through a map, and returns the user's numbers of the target set.
    pub fn index<T, const A: usize>(&mut self, arg: usize, map: MapView<T, A>, index: usize) -> Numbers {
        let Some(m) = map.place() else { return Numbers::of_set(None) };
        if self.context.executor.device().is_some() {
            self.bound.more.indices.push((arg, m, index));
        }
        if index >= A {
            let map = self.context.mesh.maps[m].name.clone();
            self.fail(Some(arg), Fault::MapIndex { map, arity: A, index });
        }
        self.numbers_of(self.context.mesh.maps[m].to)
    }

    fn numbers_of(&mut self, set: usize) -> Numbers {
        if self.context.executor.device().is_some() {
            self.bound.more.numbers.push(set);
        }
        self.context.mesh.numbers(set)
    }

    /// Binds a global that the kernel reads.
    pub fn global<G: Value, H: GlobalOf<G>>(&mut self, arg: usize, _value: PhantomData<G>, global: H) -> G {
        let Some(index) = self.bind_global(arg, Access::Read, global.handle()) else {
            return G::splat(Default::default());
        };
        let Context { mesh, executor, .. } = &mut *self.context;
        let Some(device) = executor.device_mut() else { return *mesh.globals[index].get() };
        let settled = device.settle(mesh, index);
        let value: G = *mesh.globals[index].get();
        let bytes = G::Elem::bytes(value.components()).to_vec();
        self.bound.more.params.push(Param { arg, elem: G::Elem::TYPE, bytes });
        if let Err(cause) = settled {
            self.fail(Some(arg), Fault::Device(cause));
        }
        value
    }

    /// Binds a global that the loop reduces into; it gets its result by [`Results::reduce`](crate::exec::body::Results::reduce).
    pub fn reduction<By, G: Reduce<By>, H: GlobalOf<G>>(
        &mut self,
        arg: usize,
        how: Combine,
        _value: PhantomData<(By, G)>,
        global: H,
    ) -> Global<G> {
        let index = self.bind_global(arg, how.into(), global.handle());
        if let Some(index) = index
            && self.context.executor.device().is_some()
        {
            let absorb: Absorb = |value, slots| {
                let value: &mut G = value.downcast_mut().expect("a typed handle leads to data of its type");
                value.absorb(&G::from_slots(slots));
            };
            self.reduce_on_device(Reduction { arg, elem: G::ELEM, global: index, how, slots: G::SLOTS, absorb });
        }
        global.handle()
    }

    /// Checks that an argument with the same text as an earlier one has the same handle or index, since the two share a
    /// view.
    pub fn one_handle<H: PartialEq>(&mut self, arg: usize, what: &'static str, first: usize, a: &H, b: &H) {
        if a != b {
            let other = self.desc.args[first].text;
            self.fail(Some(arg), Fault::OneNameTwoHandles { what, other: first, text: other });
        }
    }

    /// Checks, plans and runs the loop, and hands its globals the results of its reductions. On a device the results stay there
    /// until they are asked for.
    ///
    /// # Errors
    /// [`Error::Loop`] says what kept the loop from running; nothing was changed then.
    pub fn run<B: Body>(&mut self, body: B) -> Result<()> {
        match self.context.executor {
            Executor::Seq | Executor::Threads(_) => execute(OnHost { call: self, body: &body }),
            Executor::Device(_) => execute(OnDevice { call: self }),
        }
    }

    /// The plan that the threads executor uses for this loop, built or from the cache.
    ///
    /// # Errors
    /// As [`Call::run`].
    pub fn plan(&mut self) -> Result<Arc<Plan>> {
        self.check()?;
        let wanted = match self.context.executor {
            Executor::Threads(_) => self.decide()?.wanted,
            Executor::Seq | Executor::Device(_) => Wanted::of(self.context.strategy_of(self.desc.kernel)),
        };
        let inspected = self.inspected(wanted)?;
        Ok(inspected.plan.clone().expect("a wanted plan is built"))
    }

    fn through<V: Value, D: DatOn<T>, T, const A: usize>(
        &mut self,
        arg: usize,
        access: Access,
        dat: D,
        map: MapView<T, A>,
        used: Range<usize>,
    ) -> View<V> {
        let (Some(m), Some(d)) = (map.place(), self.place(dat.id(), "dat", Some(arg))) else { return View::nothing() };
        self.expect_set(arg, "dat", d, self.context.mesh.dats[d].set, self.context.mesh.maps[m].to);
        self.bound.dats.push(BoundDat { arg, dat: d, access, through: Some((m, used)) });
        self.context.mesh.view(d)
    }

    fn bind_global<G>(&mut self, arg: usize, access: Access, global: Global<G>) -> Option<usize> {
        let index = self.place(global.id, "global", Some(arg))?;
        let met = self.bound.globals.iter().find(|(_, g, a)| *g == index && (a.modifies() || access.modifies()));
        if let Some(&(other, ..)) = met {
            let global = self.context.mesh.globals[index].name.clone();
            self.fail(Some(arg), Fault::AliasedGlobal { global, other });
        }
        self.bound.globals.push((arg, index, access));
        Some(index)
    }

    /// The index of a handle in the registry; notes a fault if there is none.
    fn place(&mut self, id: Id, what: &'static str, arg: Option<usize>) -> Option<usize> {
        let place = self.context.mesh.index(id, what).ok();
        if place.is_none() {
            self.fail(arg, Fault::OtherMesh { what });
        }
        place
    }

    fn expect_set(&mut self, arg: usize, what: &'static str, index: usize, found: usize, expected: usize) {
        if found == expected {
            return;
        }
        let mesh = &self.context.mesh;
        let name = if what == "map" { &mesh.maps[index].name } else { &mesh.dats[index].name };
        let fault = Fault::OtherSet {
            what,
            name: name.clone(),
            found: mesh.sets[found].name.clone(),
            expected: mesh.sets[expected].name.clone(),
        };
        self.fail(Some(arg), fault);
    }

    /// Keeps the first fault.
    fn fail(&mut self, arg: Option<usize>, fault: Fault) {
        let error = self.error(arg, fault);
        self.keep(error);
    }

    /// Keeps an error, if it is the first one.
    fn keep(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    /// Adds a result that a device still holds for another access first, since the next reduction starts anew.
    fn reduce_on_device(&mut self, reduction: Reduction) {
        let Context { mesh, executor, .. } = &mut *self.context;
        if let Some(device) = executor.device_mut()
            && let Err(cause) = device.settle_other(mesh, reduction.global, reduction.how)
        {
            self.fail(Some(reduction.arg), Fault::Device(cause));
        }
        self.bound.more.reductions.push(reduction);
    }
}
