//! The only inputs of results that are kept under a key.

use super::{ForDevices, PlanKey};
use crate::data::layout::Geometry;
use crate::data::value::ElemType;
use crate::inspect::{Elements, LoopShape, Through, Touch};
use crate::mesh::bindings::{BoundDat, Over};
use crate::mesh::handle::End;
use crate::mesh::{DatStore, MapStore, Mesh, Object, SetStore, SubsetStore};
use crate::plan::key::Wanted;
use std::ops::Range;

/// A call as seen by the inspector, the planner and the preparation for a device: a key, and the objects that it names.
/// Nothing else is accessible, so all inputs have their versions in the key.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    key: &'a PlanKey,
    mesh: &'a Mesh,
}

/// An object of a mesh with its number and version.
pub(crate) struct Stored<'a, T> {
    pub(crate) number: usize,
    pub(crate) version: u32,
    pub(crate) store: &'a T,
}

/// The same of a map.
pub(crate) struct StoredMap<'a> {
    pub(crate) number: usize,
    pub(crate) version: u32,
    pub(crate) store: &'a MapStore,
    /// The host's, which a device may have newer.
    pub(crate) entries: &'a [u32],
    /// The version of the dat that holds them.
    pub(crate) data: u32,
}

impl<'a> StoredMap<'a> {
    pub(crate) fn of(mesh: &'a Mesh, number: usize) -> Self {
        let (version, store) = (mesh.version(Object::Map(number)), &*mesh.maps[number]);
        StoredMap { number, version, store, entries: mesh.entries(number), data: mesh.version(Object::Dat(store.data)) }
    }
}

impl<'a> Inputs<'a> {
    /// The inputs that a key names. The key must match the present versions of the mesh.
    pub(crate) fn new(key: &'a PlanKey, mesh: &'a Mesh) -> Self {
        debug_assert!(key.versioned().iter().all(|&(object, version)| mesh.version(object) == version));
        Inputs { key, mesh }
    }

    /// Whether the sets have the versions that they have in another key of this loop.
    pub(crate) fn has_sets_of(self, other: &PlanKey) -> bool {
        self.key.has_sets_of(other)
    }

    /// The elements that the loop runs over.
    pub(crate) fn elements(self) -> Elements<'a> {
        elements(self.mesh, self.key.over)
    }

    /// The dimensions of the space of the pairs that the loop runs over, and the side outside, if it does.
    pub(crate) fn pairs(self) -> Option<(usize, End)> {
        self.key.over.pairs.map(|(pairs, outside)| (self.mesh.pairs[pairs].dimensions, outside))
    }

    /// The request of the executor.
    pub(crate) fn wanted(self) -> Wanted {
        self.key.wanted
    }

    /// Whether the loop reduces into globals, where this matters.
    pub(crate) fn reduces(self) -> bool {
        self.key.reduces
    }

    /// The dat arguments.
    pub(crate) fn dats(self) -> &'a [BoundDat] {
        &self.key.dats
    }

    /// The dat of an argument. Its values change from call to call, and nothing kept may depend on them.
    pub(crate) fn dat(self, bound: &BoundDat) -> &'a DatStore {
        debug_assert!(self.key.names(Object::Dat(bound.dat)), "the key names every dat that is looked at");
        &self.mesh.dats[bound.dat]
    }

    /// The places of the elements that the dat of an argument lives on, along a curve in space, if they are known.
    pub(crate) fn places(self, bound: &BoundDat) -> Option<&'a [u32]> {
        self.mesh.sets[self.dat(bound).set].places.as_deref()
    }

    /// Elements of the set that the dat of an argument lives on.
    pub(crate) fn rows(self, bound: &BoundDat) -> usize {
        self.mesh.sets[self.dat(bound).set].size
    }

    /// Where the components of the elements of such a dat are.
    pub(crate) fn geometry(self, bound: &BoundDat) -> Geometry {
        let store = self.dat(bound);
        store.geometry(&self.mesh.sets[store.set])
    }

    /// The part that only devices need, if there is one.
    pub(crate) fn more(self) -> Option<&'a ForDevices> {
        self.key.more.as_deref()
    }

    /// A map that the key names.
    pub(crate) fn map(self, map: usize) -> &'a MapStore {
        debug_assert!(self.key.names(Object::Map(map)), "the key names every map that is looked at");
        &self.mesh.maps[map]
    }

    /// The way of an argument through these entries of each row of a map that the key names.
    pub(crate) fn through(self, map: usize, used: Range<usize>) -> Through<'a> {
        debug_assert!(self.key.names(Object::Map(map)), "the key names every map that is looked at");
        self.mesh.through(map, used)
    }

    /// The same with number and version, for code that keeps copies.
    pub(crate) fn stored_map(self, number: usize) -> StoredMap<'a> {
        debug_assert!(self.key.names(Object::Map(number)), "the key names every map that is looked at");
        StoredMap::of(self.mesh, number)
    }

    /// A set that the key names, with number and version, for code that keeps copies.
    pub(crate) fn stored_set(self, number: usize) -> Stored<'a, SetStore> {
        debug_assert!(self.key.names(Object::Set(number)), "the key names every set that is looked at");
        Stored { number, version: self.mesh.version(Object::Set(number)), store: &self.mesh.sets[number] }
    }

    /// The subset that the loop runs over, if it does, with number and version, for code that keeps copies.
    pub(crate) fn stored_subset(self) -> Option<Stored<'a, SubsetStore>> {
        let number = self.key.over.subset?;
        let version = self.mesh.version(Object::Subset(number));
        Some(Stored { number, version, store: &self.mesh.subsets[number] })
    }

    /// The sizes of the sets that such a map leads from and to.
    pub(crate) fn ends(self, map: usize) -> [usize; 2] {
        let MapStore { from, to, .. } = *self.map(map);
        [from, to].map(|set| self.mesh.sets[set].size)
    }

    /// The scalar type of an argument, if the argument is present.
    pub(crate) fn elem_of(self, arg: usize) -> Option<ElemType> {
        let dat = self.dats().iter().find(|b| b.arg == arg).map(|b| self.dat(b).elem);
        let param = || self.more()?.params.iter().find(|p| p.0 == arg).map(|p| p.1);
        let reduction = || self.more()?.reductions.iter().find(|r| r.arg == arg).map(|r| r.elem);
        dat.or_else(param).or_else(reduction)
    }

    /// The loop as the inspector sees it.
    pub(crate) fn shape(self) -> LoopShape<'a> {
        let touch = |bound: &'a BoundDat| {
            let through = bound.through.as_ref().map(|(map, used)| self.through(*map, used.clone()));
            // An argument that is apart from all others is as if it had a dat of its own.
            let dat = if bound.apart { self.mesh.dats.len() + bound.arg } else { bound.dat } as u32;
            let (arg, access, own) = (bound.arg, bound.access, bound.apart);
            Touch { arg, dat, targets: self.rows(bound), bytes: self.dat(bound).bytes, access, through, own }
        };
        // Partners, and the elements that tables are asked for, are not known before the loop runs, and no plan keeps elements apart that
        // share them.
        let planned = self.dats().iter().filter(|bound| !bound.inside && !bound.whole);
        LoopShape { elements: self.elements(), touches: planned.map(touch).collect() }
    }
}

/// The elements that a loop runs over.
pub(crate) fn elements(mesh: &Mesh, over: Over) -> Elements<'_> {
    let set = &mesh.sets[over.set];
    match (over.subset, &set.pieces) {
        (Some(subset), _) => Elements::Subset(&mesh.subsets[subset].list),
        (None, Some(pieces)) => Elements::Pieces(pieces),
        (None, None) => Elements::All(set.size),
    }
}
