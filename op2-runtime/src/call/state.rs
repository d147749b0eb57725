//! The state of a call: everything that does not depend on the types of handles, so that it is compiled once.

use super::context::Context;
use crate::data::numbering::Numbers;
use crate::data::row::FoundRows;
use crate::desc::LoopDesc;
use crate::error::{Error, Fault, Result};
use crate::mesh::bindings::{Bindings, BoundDat, Reduction};
use crate::mesh::handle::{Id, Iterates};
use op2_core::Access;
use std::ops::Range;

/// A loop being called, with what was bound so far.
pub(crate) struct CallState<'a> {
    pub(crate) context: &'a mut Context,
    pub(crate) desc: &'static LoopDesc,
    pub(crate) iterates: Iterates,
    pub(crate) set: usize,
    pub(crate) bound: Bindings,
    /// Whether the loop writes entries of maps.
    pub(super) writes_maps: bool,
    pub(super) fault: Option<Error>,
}

impl<'a> CallState<'a> {
    pub(super) fn start(
        context: &'a mut Context,
        desc: &'static LoopDesc,
        iterates: Iterates,
        fault: Option<Error>,
    ) -> Self {
        let mut call =
            CallState { context, desc, iterates, set: 0, bound: Bindings::default(), writes_maps: false, fault };
        call.set = match iterates {
            Iterates::Set(id) => call.place(id, "set", None).unwrap_or(0),
            Iterates::Subset(id) => call.place(id, "set", None).map_or(0, |n| call.context.mesh.subsets[n].set),
            Iterates::Pairs(id, outside) => {
                call.place(id, "handle of pairs", None).map_or(0, |n| call.context.mesh.pairs[n].ends[outside as usize])
            }
        };
        if let Iterates::Pairs(id, _) = iterates
            && let Some(pairs) = call.place(id, "handle of pairs", None)
            && let Some(rows) = call.context.mesh.pairs[pairs].rows()
        {
            call.turn(None, rows);
        }
        if let Some(constant) = desc.captured.unset() {
            call.fail(None, Fault::ConstantUnset { constant });
        }
        call
    }
}

impl CallState<'_> {
    /// Binds a direct dat argument; returns the index of the dat.
    pub(super) fn direct(&mut self, arg: usize, access: Access, dat: (Id, bool)) -> Option<usize> {
        let dat = self.dat(arg, dat)?;
        self.expect_set(arg, "dat", dat, self.context.mesh.dats[dat].set, self.set);
        self.bind(BoundDat { arg, dat, access, through: None, inside: false, whole: false, apart: false });
        Some(dat)
    }

    /// Binds a dat that the kernel gets as a table; returns the index of the dat.
    pub(super) fn table(&mut self, arg: usize, dat: (Id, bool)) -> Option<usize> {
        let dat = self.dat(arg, dat)?;
        let set = self.context.mesh.dats[dat].set;
        self.bound.indexed.push(set);
        if self.desc.asks_numbers && self.context.executor.device().is_some() {
            self.bound.more.tables.push((arg, set));
        }
        self.bind(BoundDat { arg, dat, access: Access::Read, through: None, inside: false, whole: true, apart: false });
        Some(dat)
    }

    /// The number of a dat, or of the one that holds the entries of a map.
    pub(super) fn dat(&mut self, arg: usize, (id, is_map): (Id, bool)) -> Option<usize> {
        let place = self.place(id, if is_map { "map" } else { "dat" }, Some(arg))?;
        Some(if is_map { self.context.mesh.maps[place].data } else { place })
    }

    /// Adds a dat argument.
    pub(super) fn bind(&mut self, bound: BoundDat) {
        if bound.access.modifies() {
            let dat = &mut self.context.mesh.dats[bound.dat];
            dat.change();
            self.writes_maps |= dat.of_map.is_some();
        }
        if let Some(map) = self.context.mesh.dats[bound.dat].of_map {
            self.bound.indexed.push(self.context.mesh.maps[map].to);
        }
        self.bound.dats.push(bound);
    }

    /// Binds a map; returns its index and its entries.
    pub(super) fn map(&mut self, arg: usize, map: Id) -> Option<(usize, *const u32)> {
        let map = self.place(map, "map", Some(arg))?;
        self.expect_set(arg, "map", map, self.context.mesh.maps[map].from, self.set);
        self.turn(Some(arg), map);
        let data = self.context.mesh.maps[map].data;
        self.bound.followed.push(map);
        if self.context.executor.device().is_some() {
            self.bound.more.maps.push(map);
            if self.context.mesh.maps[map].offsets.is_some()
                && let Err(error) = self.entries_arrive(map)
            {
                self.keep(error);
            }
        }
        // An argument may write the entries: a borrow would make its view invalid.
        Some((map, self.context.mesh.dats[data].address().cast_const().cast()))
    }

    /// Turns a map round again, if these rows do and it has changed.
    pub(super) fn turn(&mut self, arg: Option<usize>, rows: usize) {
        let Context { mesh, executor, .. } = &mut *self.context;
        let Some(map) = mesh.turned_before(rows) else { return };
        if let Some(device) = executor.device_mut()
            && let Err(cause) = device.settle_dat(mesh, mesh.maps[map].data)
        {
            return self.fail(arg, Fault::Device(cause));
        }
        match executor.install(|| mesh.turn(rows, executor.pool())) {
            Ok(()) => {}
            Err(Error::Unset { map, element, set }) => self.fail(arg, Fault::Unset { map, element, set }),
            Err(error) => self.keep(error),
        }
    }

    /// Brings entries that a device has newer to the host, where plans are made of them.
    fn entries_arrive(&mut self, map: usize) -> Result<()> {
        let Context { mesh, executor, .. } = &mut *self.context;
        let Some(device) = executor.device_mut() else { return Ok(()) };
        let settled = device.settle_dat(mesh, mesh.maps[map].data);
        settled.map_err(|cause| self.error(self.arg_through(map), Fault::Device(cause)))
    }

    /// The same for all maps that the loop follows.
    pub(super) fn all_entries_arrive(&mut self) -> Result<()> {
        (0..self.bound.followed.len()).try_for_each(|n| self.entries_arrive(self.bound.followed[n]))
    }

    /// Whether a device alone has the newest entries of a map that the loop follows.
    pub(super) fn lacks_entries(&self) -> bool {
        let Some(device) = self.context.executor.device() else { return false };
        self.bound.followed.iter().any(|map| device.has_alone(self.context.mesh.maps[*map].data))
    }

    /// Binds a map by its rows.
    pub(super) fn rows(&mut self, arg: usize, map: Id) -> Option<FoundRows> {
        let (map, entries) = self.map(arg, map)?;
        let store = &self.context.mesh.maps[map];
        let offsets = store.offsets.as_ref().map_or(std::ptr::null(), |offsets| offsets.as_ptr());
        Some((map, entries, offsets, store.arity))
    }

    /// Binds a dat argument through some entries of a map; returns the index of the dat.
    pub(super) fn through(
        &mut self,
        arg: usize,
        access: Access,
        dat: (Id, bool),
        map: Option<usize>,
        used: Range<usize>,
    ) -> Option<usize> {
        let map = map?;
        let dat = self.dat(arg, dat)?;
        self.expect_set(arg, "dat", dat, self.context.mesh.dats[dat].set, self.context.mesh.maps[map].to);
        self.bind(BoundDat { arg, dat, access, through: Some((map, used)), inside: false, whole: false, apart: false });
        Some(dat)
    }

    /// Whether a map has this entry; notes a fault if not.
    pub(super) fn has_entry(&mut self, arg: usize, map: usize, arity: usize, index: usize) -> bool {
        if index >= arity {
            let map = self.context.mesh.maps[map].name.clone();
            self.fail(Some(arg), Fault::MapIndex { map, arity, index });
        }
        index < arity
    }

    /// Binds the indices that some entries of a map hold; returns the user's numbers of the target set.
    pub(super) fn indices(&mut self, arg: usize, map: usize, used: Range<usize>) -> Numbers {
        self.as_indices(arg, map, used);
        self.numbers_of(self.context.mesh.maps[map].to)
    }

    /// The same for a kernel that takes the elements.
    pub(super) fn elements_of_map(&mut self, arg: usize, map: usize, used: Range<usize>) {
        self.as_indices(arg, map, used);
        self.as_elements(self.context.mesh.maps[map].to);
    }

    fn as_indices(&mut self, arg: usize, map: usize, used: Range<usize>) {
        if self.context.executor.device().is_some() {
            self.bound.more.indices.push((arg, map, used));
        }
    }

    /// Notes that an argument is an index of an element of a set.
    pub(super) fn as_elements(&mut self, set: usize) {
        self.bound.indexed.push(set);
        if self.context.executor.device().is_some() {
            self.bound.more.numbers.push(None);
        }
    }

    /// The user's numbers of a set.
    pub(super) fn numbers_of(&mut self, set: usize) -> Numbers {
        if self.context.executor.device().is_some() {
            self.bound.more.numbers.push(Some(set));
        }
        self.context.mesh.numbers(set)
    }

    /// Notes that the maps which the loop writes have other entries now: what was planned by the old ones is not used again.
    pub(super) fn maps_changed(&mut self) {
        if !self.writes_maps {
            return;
        }
        let mesh = &mut self.context.mesh;
        mesh.moves = true;
        for bound in self.bound.dats.iter().filter(|bound| bound.access.modifies()) {
            if let Some(map) = mesh.dats[bound.dat].of_map {
                let reach = mesh.sets[mesh.maps[map].to].size;
                mesh.maps[map].change().entries_changed(reach);
            }
        }
    }

    /// Notes that an argument with the text of argument `first` has another handle or index.
    pub(super) fn two_handles(&mut self, arg: usize, what: &'static str, first: usize) {
        let text = self.desc.args[first].text;
        self.fail(Some(arg), Fault::OneNameTwoHandles { what, other: first, text });
    }

    /// Binds a global; returns its index.
    pub(super) fn bind_global(&mut self, arg: usize, access: Access, global: Id) -> Option<usize> {
        let index = self.place(global, "global", Some(arg))?;
        let met = self.bound.globals.iter().find(|(_, g, a)| *g == index && (a.modifies() || access.modifies()));
        if let Some(&(other, ..)) = met {
            let global = self.context.mesh.globals[index].name.clone();
            self.fail(Some(arg), Fault::AliasedGlobal { global, other });
        }
        self.bound.globals.push((arg, index, access));
        Some(index)
    }

    /// The index of a handle in the registry; notes a fault if there is none.
    pub(super) fn place(&mut self, id: Id, what: &'static str, arg: Option<usize>) -> Option<usize> {
        let place = self.context.mesh.index(id, what).ok();
        if place.is_none() {
            self.fail(arg, Fault::OtherMesh { what });
        }
        place
    }

    pub(super) fn expect_set(&mut self, arg: usize, what: &'static str, index: usize, found: usize, expected: usize) {
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
    pub(super) fn fail(&mut self, arg: Option<usize>, fault: Fault) {
        let error = self.error(arg, fault);
        self.keep(error);
    }

    /// Keeps an error, if it is the first one.
    pub(super) fn keep(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    /// Adds a result that a device still holds for another access first, since the next reduction starts anew.
    pub(super) fn reduce_on_device(&mut self, reduction: Reduction) {
        let Context { mesh, executor, .. } = &mut *self.context;
        if let Some(device) = executor.device_mut()
            && let Err(cause) = device.settle_other(mesh, reduction.global, reduction.how)
        {
            self.fail(Some(reduction.arg), Fault::Device(cause));
        }
        self.bound.more.reductions.push(reduction);
    }
}
