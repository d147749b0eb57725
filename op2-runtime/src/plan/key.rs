//! The key under which results of preparing a call are kept: plans, launches, decisions.
//!
//! One place makes the key from the bound call. Code that prepares something to be kept sees only [`Inputs`]: the key
//! itself, and the parts of the mesh that the key names. So nothing can depend on data that the key lacks. A new field
//! of the bindings does not compile until [`PlanKey::new`] handles it.

mod inputs;
#[cfg(test)]
mod tests;

use crate::data::value::ElemType;
use crate::mesh::bindings::{Bindings, BoundDat, More, Over, Param, Reduction};
use crate::mesh::{Mesh, Object};
use crate::strategy::{Resolution, Scheme, Strategy};
pub(crate) use inputs::{Inputs, Stored, StoredMap, elements};
use op2_core::Combine;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The result that the executor requests from the inspector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// Checks and traffic only.
    Nothing,
    /// A plan of the predicted scheme.
    Predicted,
    /// A plan of this scheme.
    Pinned(Scheme),
    /// Launches by this strategy; devices keep them themselves.
    Device(Strategy),
}

impl Wanted {
    /// The request of a strategy on the host.
    pub(crate) fn of(strategy: Strategy) -> Self {
        strategy.host_plan().map_or(Wanted::Predicted, Wanted::Pinned)
    }
}

/// Everything on which results kept for a call may depend, except [`Settings`](crate::plan::cache::Settings), which are
/// constant for a cache, and, for results other than plans, the loop itself. Arguments that are switched off are left
/// out, so that a loop has a plan for every combination of its flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanKey {
    over: Over,
    wanted: Wanted,
    /// Whether the loop reduces into globals; false where this does not influence the scheme.
    reduces: bool,
    dats: SmallVec<[BoundDat; 8]>,
    /// The part for devices, if anything is bound that only they need.
    more: Option<Box<ForDevices>>,
    /// The versions of [all named objects](PlanKey::objects), in that order.
    versions: SmallVec<[u32; 16]>,
}

/// The part of a key that only devices need.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ForDevices {
    /// As [`More::maps`].
    pub(crate) maps: Vec<usize>,
    /// As [`More::indices`].
    pub(crate) indices: Vec<(usize, usize, Range<usize>)>,
    /// As [`More::numbers`].
    pub(crate) numbers: Vec<Option<usize>>,
    /// As [`More::tables`].
    pub(crate) tables: Vec<(usize, usize)>,
    /// Globals that the kernel reads: argument and scalars.
    pub(crate) params: Vec<(usize, ElemType)>,
    pub(crate) reductions: Vec<Reduces>,
    /// As [`More::lens`].
    pub(crate) lens: Vec<usize>,
}

/// The part of a reduction on which launches depend.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Reduces {
    pub(crate) arg: usize,
    pub(crate) elem: ElemType,
    pub(crate) how: Combine,
    pub(crate) slots: usize,
}

impl Hash for PlanKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest());
    }
}

/// The parts of a key, by reference. A call looks up its plan by this without making a key.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    mesh: &'a Mesh,
    over: Over,
    bound: &'a Bindings,
    wanted: Wanted,
    /// As [`PlanKey::reduces`].
    reduces: bool,
}

impl<'a> Asked<'a> {
    /// `reduces` tells whether the loop reduces into globals, and is called only if this matters.
    pub(crate) fn new(
        mesh: &'a Mesh,
        over: Over,
        bound: &'a Bindings,
        wanted: Wanted,
        reduces: impl FnOnce() -> bool,
    ) -> Self {
        let counts = match wanted {
            Wanted::Pinned(scheme) => scheme.resolution == Resolution::Owner,
            Wanted::Device(_) => true,
            Wanted::Nothing | Wanted::Predicted => false,
        };
        Asked { mesh, over, bound, wanted, reduces: counts && reduces() }
    }

    /// A hash of the parts that usually differ between loops; [`PlanKey::is_of`] compares the rest.
    pub(crate) fn digest(self) -> u64 {
        digest(self.over, self.wanted, &self.bound.dats)
    }
}

fn digest(over: Over, wanted: Wanted, dats: &[BoundDat]) -> u64 {
    let mut state = FxHasher::default();
    over.hash(&mut state);
    wanted.hash(&mut state);
    for BoundDat { arg, dat, access, through, inside: _, whole: _, apart: _ } in dats {
        let map = through.as_ref().map_or(0, |(map, used)| ((map + 1) << 8) ^ used.start);
        state.write_usize((dat << 16) ^ (arg << 8) ^ *access as usize ^ (map << 32));
    }
    state.finish()
}

impl PlanKey {
    /// The key of a call.
    pub(crate) fn new(asked: Asked<'_>) -> PlanKey {
        let Asked { mesh, over, bound, wanted, reduces } = asked;
        // Globals and their values are bound at every call.
        let Bindings { dats, globals: _, indexed: _, followed: _, more } = bound;
        let mut key = PlanKey {
            over,
            wanted,
            reduces,
            dats: dats.iter().cloned().collect(),
            more: ForDevices::of(more),
            versions: SmallVec::new(),
        };
        let mut versions = SmallVec::new();
        key.objects(|object| versions.push(mesh.version(object)));
        key.versions = versions;
        key
    }

    /// Whether it equals the key that [`PlanKey::new`] would make for a call.
    pub(crate) fn is_of(&self, asked: Asked<'_>) -> bool {
        let (mut known, mut same) = (self.versions.iter(), true);
        self.is_of_version(asked) && {
            self.objects(|object| same &= known.next() == Some(&asked.mesh.version(object)));
            same
        }
    }

    /// The same, whatever the versions of the objects.
    pub(crate) fn is_of_version(&self, asked: Asked<'_>) -> bool {
        let PlanKey { over, wanted, reduces, dats, more, versions: _ } = self;
        let Asked { mesh: _, over: of, bound, wanted: to, reduces: adds } = asked;
        let Bindings { dats: bound, globals: _, indexed: _, followed: _, more: of_devices } = bound;
        (*over, *wanted, *reduces) == (of, to, adds) && **dats == **bound && *more == ForDevices::of(of_devices)
    }

    /// Whether the sets of two keys for one loop have the same versions: elements are as many, and have the same numbers.
    pub(crate) fn has_sets_of(&self, other: &PlanKey) -> bool {
        let of_sets = |key: &PlanKey| -> SmallVec<[u32; 16]> {
            let all = key.versioned().into_iter();
            all.filter(|(object, _)| matches!(object, Object::Set(_) | Object::Dat(_))).map(|(_, v)| v).collect()
        };
        of_sets(self) == of_sets(other)
    }

    /// The [`Asked::digest`] of its call.
    pub(crate) fn digest(&self) -> u64 {
        digest(self.over, self.wanted, &self.dats)
    }

    /// Whether `old` names an object in an older version than this key, so that it can never be found again.
    pub(crate) fn outdates(&self, old: &PlanKey) -> bool {
        let (mine, theirs) = (self.versioned(), old.versioned());
        let newer = |(object, version): &(Object, u32)| theirs.iter().any(|(o, v)| o == object && v < version);
        mine.iter().any(newer)
    }

    /// Whether the key names an object.
    fn names(&self, object: Object) -> bool {
        let mut named = false;
        self.objects(|o| named |= o == object);
        named
    }

    /// All named objects with their versions.
    fn versioned(&self) -> Vec<(Object, u32)> {
        let mut all = Vec::with_capacity(self.versions.len());
        self.objects(|object| all.push(object));
        all.into_iter().zip(self.versions.iter().copied()).collect()
    }

    /// Calls `see` with every named object. The other parts of the key determine the order.
    #[inline]
    fn objects(&self, mut see: impl FnMut(Object)) {
        let PlanKey { over, wanted: _, reduces: _, dats, more, versions: _ } = self;
        // Plans of loops over pairs depend on no pair.
        let Over { set, subset, pairs: _ } = *over;
        see(Object::Set(set));
        if let Some(subset) = subset {
            see(Object::Subset(subset));
        }
        for BoundDat { arg: _, dat, access: _, through, inside: _, whole: _, apart: _ } in dats {
            see(Object::Dat(*dat));
            if let Some((map, _)) = through {
                see(Object::Map(*map));
            }
        }
        if let Some(more) = more {
            let ForDevices { maps, indices, numbers, tables, params: _, reductions: _, lens: _ } = &**more;
            maps.iter().for_each(|&map| see(Object::Map(map)));
            indices.iter().for_each(|(_, map, _)| see(Object::Map(*map)));
            let of_tables = tables.iter().map(|(_, set)| set);
            numbers.iter().flatten().chain(of_tables).for_each(|&set| see(Object::Set(set)));
        }
    }
}

impl ForDevices {
    fn of(more: &More) -> Option<Box<Self>> {
        let More { maps, indices, numbers, tables, params, reductions, lens } = more;
        let numbered = numbers.len() + tables.len();
        if [maps.len(), indices.len(), numbered, params.len(), reductions.len(), lens.len()] == [0; 6] {
            return None;
        }
        // The value of a parameter, and the global and function of a reduction, are read at each launch.
        let param = |Param { arg, elem, bytes: _ }: &Param| (*arg, *elem);
        let reduces = |reduction: &Reduction| {
            let Reduction { arg, elem, global: _, how, slots, absorb: _ } = *reduction;
            Reduces { arg, elem, how, slots }
        };
        Some(Box::new(ForDevices {
            maps: maps.clone(),
            indices: indices.clone(),
            numbers: numbers.clone(),
            tables: tables.clone(),
            params: params.iter().map(param).collect(),
            reductions: reductions.iter().map(reduces).collect(),
            lens: lens.clone(),
        }))
    }
}
