//! A model of op2 in plain vectors: it knows the results of calls, and the calls that must fail.

mod between;
mod check;

use crate::compute;
use crate::data;
use crate::kinds::{Access, Arg, DatKind, GlobalKind, MapKind, NONE, Tag, Way};
use crate::step::{FOREIGN, Id, Loop, Step};
use op2::{Ordering, Scheme, Strategy};
use std::collections::BTreeMap;
use std::ops::Range;

/// The result that a call must have.
#[derive(Debug, Clone, PartialEq)]
pub enum Expect {
    /// It succeeds.
    Ok,
    /// It fails with one of these variants of op2's errors.
    Fails(Vec<&'static str>),
    /// It succeeds or fails, and changes nothing visible.
    Either,
    /// It uses handles that were never declared, and is left out.
    Skip,
}

/// A set.
#[derive(Debug, Clone)]
pub struct SetModel {
    /// Its kind.
    pub tag: Tag,
    /// Its size.
    pub size: usize,
}

/// A subset.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "they are those of the declaration")]
pub struct SubsetModel {
    pub set: Id,
    pub elements: Vec<usize>,
    /// All elements are below this one.
    pub reach: usize,
}

/// A map.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "they are those of the declaration")]
pub struct MapModel {
    pub kind: MapKind,
    pub from: Id,
    pub to: Id,
    pub rows: Vec<Vec<usize>>,
    /// All entries are below this one.
    pub reach: usize,
    /// The elements of the latest growth.
    pub children: Range<usize>,
    /// The map that these rows turn round.
    pub of: Option<Id>,
}

/// A dat.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "they are those of the declaration")]
pub struct DatModel {
    pub kind: DatKind,
    pub set: Id,
    pub values: Vec<f64>,
    /// The value of new elements.
    pub fresh: Vec<f64>,
}

/// The mesh and its data.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "they are what was declared")]
pub struct Model {
    pub sets: BTreeMap<Id, SetModel>,
    pub subsets: BTreeMap<Id, SubsetModel>,
    pub maps: BTreeMap<Id, MapModel>,
    pub dats: BTreeMap<Id, DatModel>,
    pub globals: BTreeMap<Id, (GlobalKind, Vec<f64>)>,
}

const OTHER_MESH: &str = "OtherMesh";

impl Model {
    /// Applies a call to the model, and returns the result that it must have. Loops of chains go to [`Model::run`].
    pub fn step(&mut self, step: &Step) -> Expect {
        let expect = self.try_step(step).unwrap_or(Expect::Skip);
        self.turn();
        expect
    }

    fn try_step(&mut self, step: &Step) -> Option<Expect> {
        let fails = |why| Some(Expect::Fails(vec![why]));
        match *step {
            Step::DeclSet { id, tag, size } => {
                self.sets.insert(id, SetModel { tag, size });
            }
            Step::DeclSubset { set: FOREIGN, .. } | Step::Size { set: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::DeclSubset { id, set, seed, wrong, .. } => {
                let size = self.sets.get(&set)?.size;
                let elements = data::elements(size, seed, wrong);
                let mut sorted = elements.clone();
                sorted.sort_unstable();
                if sorted.last() >= Some(&size) && !sorted.is_empty() || sorted.windows(2).any(|w| w[0] == w[1]) {
                    return fails("SubsetEntry");
                }
                self.subsets.insert(id, SubsetModel { set, elements, reach: size });
            }
            Step::DeclMap { from, to, .. } if [from, to].contains(&FOREIGN) => {
                let known = |set: Id| set == FOREIGN || self.sets.contains_key(&set);
                return if known(from) && known(to) { fails(OTHER_MESH) } else { None };
            }
            Step::DeclMap { id, kind, from, to, seed, wrong } => {
                let (rows, targets) = (self.sets.get(&from)?.size, self.sets.get(&to)?.size);
                let entries = data::entries(kind, rows, targets, seed, wrong);
                if let Some(why) = wrong_map(&entries, rows, targets) {
                    return Some(Expect::Fails(why));
                }
                let map = MapModel { kind, from, to, rows: entries, reach: targets, children: 0..0, of: None };
                self.maps.insert(id, map);
            }
            Step::SetMap { map: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::SetMap { map, kind, seed, wrong } => {
                let known = self.maps.get(&map)?;
                if kind.has_rows() {
                    return fails(if known.of.is_some() { "Inverse" } else { "Children" });
                }
                let (rows, targets) = (self.sets[&known.from].size, self.sets[&known.to].size);
                let entries = data::entries(kind, rows, targets, seed, wrong);
                if let Some(why) = wrong_map(&entries, rows, targets) {
                    return Some(Expect::Fails(why));
                }
                let known = self.maps.get_mut(&map)?;
                (known.rows, known.reach) = (entries, targets);
            }
            Step::DeclDat { set: FOREIGN, .. } | Step::DeclFilled { set: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::DeclDat { id, kind, set, seed, wrong } => {
                let size = self.sets.get(&set)?.size;
                let values = data::values(kind, size, seed, wrong);
                if values.len() != size * kind.dim() {
                    return fails("Rows");
                }
                self.dats.insert(id, DatModel { kind, set, values, fresh: vec![0.0; kind.dim()] });
            }
            Step::DeclFilled { id, kind, set, seed } => {
                let fresh = data::values(kind, 1, seed, None);
                let values = fresh.repeat(self.sets.get(&set)?.size);
                self.dats.insert(id, DatModel { kind, set, values, fresh });
            }
            Step::SetData { dat: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::SetData { dat, kind, seed, wrong } => {
                let known = self.dats.get_mut(&dat)?;
                let size = self.sets[&known.set].size;
                let values = data::values(kind, size, seed, wrong);
                if values.len() != size * kind.dim() {
                    return fails("Rows");
                }
                known.values = values;
            }
            Step::FetchInto { dat: FOREIGN, .. }
            | Step::Value { dat: FOREIGN, .. }
            | Step::SetValue { dat: FOREIGN, .. } => {
                return fails(OTHER_MESH);
            }
            Step::FetchInto { dat, wrong, .. } => {
                let size = self.sets[&self.dats.get(&dat)?.set].size;
                if data::rows(size, wrong) != size {
                    return fails("Buffer");
                }
            }
            Step::Value { dat, element, .. } if element >= self.sets[&self.dats.get(&dat)?.set].size => {
                return fails("Element");
            }
            Step::Value { .. } => {}
            Step::SetValue { dat, kind, element, seed } => {
                let known = self.dats.get_mut(&dat)?;
                if element >= self.sets[&known.set].size {
                    return fails("Element");
                }
                known.values[element * kind.dim()..][..kind.dim()].copy_from_slice(&data::values(kind, 1, seed, None));
            }
            Step::DeclGlobal { id, kind, seed } => {
                self.globals.insert(id, (kind, data::global(kind, seed)));
            }
            Step::Set { global: FOREIGN, .. } | Step::Get { global: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::Set { global, kind, seed } => self.globals.get_mut(&global)?.1 = data::global(kind, seed),
            Step::Get { global, .. } => _ = self.globals.get(&global)?,
            Step::SetLayout { dat, .. } | Step::Fetch { dat, .. } | Step::SetCoordinates { dat, .. } => match dat {
                FOREIGN => return fails(OTHER_MESH),
                dat => _ = self.dats.get(&dat)?,
            },
            Step::FetchMap { map: FOREIGN, .. } | Step::Fill { dat: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::FetchMap { map, .. } => {
                self.maps.get(&map)?;
                if self.is_unset(map) {
                    return fails("Unset");
                }
            }
            Step::Fill { dat, kind, seed } => {
                let known = self.dats.get_mut(&dat)?;
                known.values = data::values(kind, 1, seed, None).repeat(known.values.len() / kind.dim());
            }
            Step::Swap { .. }
            | Step::FillMap { .. }
            | Step::SwapMaps { .. }
            | Step::Invert { .. }
            | Step::Select { .. }
            | Step::Scan { .. }
            | Step::Compact { .. }
            | Step::DeclChildren { .. }
            | Step::Grow { .. } => return self.between(step),
            Step::Size { set, .. } => _ = self.sets.get(&set)?,
            Step::Pin { pin, .. } if is_empty(pin.strategy) => return fails("EmptyBlock"),
            Step::Pin { .. } => {}
            Step::ReorderBy { map: FOREIGN, .. } => return fails(OTHER_MESH),
            Step::ReorderBy { map, ordering, .. } => {
                self.maps.get(&map)?;
                return Some(self.reorder(ordering));
            }
            Step::Reorder { ordering } => return Some(self.reorder(ordering)),
            Step::Loop(ref one) => return Some(self.run(one)),
            Step::Plan(ref one) => return Some(self.check(one).map_or_else(|e| e, |()| Expect::Ok)),
            Step::Chain(_) => {}
        }
        Some(Expect::Ok)
    }

    /// Without maps or coordinates, an ordering may be impossible.
    fn reorder(&self, ordering: Ordering) -> Expect {
        let sure = !self.maps.is_empty() && ordering != Ordering::Hilbert;
        if sure { Expect::Ok } else { Expect::Either }
    }

    /// Runs a loop.
    pub fn run(&mut self, one: &Loop) -> Expect {
        match self.check(one) {
            Ok(()) => {
                self.execute(one);
                self.turn();
                Expect::Ok
            }
            Err(expect) => expect,
        }
    }

    /// The elements of a loop, and the set that they belong to.
    fn elements(&self, one: &Loop) -> Option<(Id, Vec<usize>)> {
        match one.subset {
            true => self.subsets.get(&one.over).map(|subset| (subset.set, subset.elements.clone())),
            false => self.sets.get(&one.over).map(|set| (one.over, (0..set.size).collect())),
        }
    }

    /// The set of a dat, or the one that a map leads from.
    fn home(&self, id: Id) -> Id {
        self.maps.get(&id).map_or_else(|| self.dats[&id].set, |map| map.from)
    }

    /// The components of a value, or the entries of a row.
    fn dim(&self, id: Id) -> usize {
        self.maps.get(&id).map_or_else(|| self.dats[&id].kind.dim(), |map| map.kind.arity())
    }

    /// The value of an element, or the entries of its row.
    fn value(&self, id: Id, e: usize) -> Vec<f64> {
        match self.maps.get(&id) {
            Some(map) => map.rows[e].iter().map(|entry| *entry as f64).collect(),
            None => self.dats[&id].values[e * self.dim(id)..][..self.dim(id)].to_vec(),
        }
    }

    /// The targets of an element.
    fn targets(&self, one: &Loop, way: Way, e: usize) -> Vec<usize> {
        let row = |map: usize| &self.maps[&one.slots[map]].rows[e];
        match way {
            Way::Direct => vec![e],
            Way::Entry(map, entry) => vec![row(map)[entry]],
            Way::Computed(map) => vec![row(map)[one.entry]],
            Way::All(map) => row(map).clone(),
        }
    }

    fn execute(&mut self, one: &Loop) {
        let args = one.kind.template().args;
        for (slot, ..) in args.iter().filter_map(dat_of).filter(|(_, access, _)| access.modifies()) {
            if let Some(map) = self.maps.get_mut(&one.slots[slot]) {
                map.reach = self.sets[&map.to].size;
            }
        }
        let (_, elements) = self.elements(one).expect("it was checked");
        let mut totals: Vec<Vec<f64>> = args.iter().map(|arg| self.start(one, arg)).collect();
        for e in elements {
            let mut values: Vec<Vec<f64>> = args.iter().zip(&totals).map(|(a, t)| self.gather(one, a, e, t)).collect();
            compute::compute(one.kind, &mut values);
            for ((arg, value), total) in args.iter().zip(&values).zip(&mut totals) {
                self.scatter(one, arg, e, value);
                if matches!(arg, Arg::Global(..)) {
                    total.copy_from_slice(value);
                }
            }
        }
        for (arg, total) in args.iter().zip(totals) {
            if let Arg::Global(global, access) = arg
                && access.modifies()
            {
                let (kind, value) = self.globals.get_mut(&one.slots[*global]).expect("it was checked");
                match kind {
                    GlobalKind::Least => compute::better(value, &total, |new, old| new < old),
                    GlobalKind::Most => compute::better(value, &total, |new, old| new > old),
                    _ => value.iter_mut().zip(total).for_each(|(v, t)| *v = access.combine(*v, t)),
                }
            }
        }
    }

    /// The value of a global before the first element.
    fn start(&self, one: &Loop, arg: &Arg) -> Vec<f64> {
        let Arg::Global(global, access) = arg else { return Vec::new() };
        let (kind, value) = &self.globals[&one.slots[*global]];
        match kind {
            _ if *access == Access::Read => value.clone(),
            GlobalKind::Least | GlobalKind::Most => vec![0.0; 3],
            _ => vec![access.neutral(); kind.dim()],
        }
    }

    fn gather(&self, one: &Loop, arg: &Arg, e: usize, total: &[f64]) -> Vec<f64> {
        match arg {
            Arg::Opt(flag, ..) if !one.flags[*flag] => Vec::new(),
            Arg::Global(..) => total.to_vec(),
            Arg::Index(way) => self.targets(one, *way, e).into_iter().map(|e| e as f64).collect(),
            Arg::Element => vec![e as f64],
            Arg::Table(slot) => match self.maps.get(&one.slots[*slot]) {
                Some(map) => map.rows.iter().flatten().map(|entry| *entry as f64).collect(),
                None => self.dats[&one.slots[*slot]].values.clone(),
            },
            Arg::Dat(dat, access, way) | Arg::Opt(_, dat, access, way) => {
                let id = one.slots[*dat];
                let row = |e: usize| match access.combines() {
                    true => vec![access.neutral(); self.dim(id)],
                    false => self.value(id, e),
                };
                self.targets(one, *way, e).into_iter().flat_map(row).collect()
            }
        }
    }

    fn scatter(&mut self, one: &Loop, arg: &Arg, e: usize, value: &[f64]) {
        let (Arg::Dat(dat, access, way) | Arg::Opt(_, dat, access, way)) = arg else { return };
        if !access.modifies() || value.is_empty() {
            return;
        }
        let targets = self.targets(one, *way, e);
        let (id, dim) = (one.slots[*dat], self.dim(one.slots[*dat]).max(1));
        if let Some(map) = self.maps.get_mut(&id) {
            for (target, part) in targets.into_iter().zip(value.chunks(dim)) {
                map.rows[target] = part.iter().map(|entry| *entry as usize).collect();
            }
            return;
        }
        let store = self.dats.get_mut(&id).expect("it was checked");
        for (target, part) in targets.into_iter().zip(value.chunks(dim)).filter(|(target, _)| *target != NONE) {
            for (there, &part) in store.values[target * dim..][..dim].iter_mut().zip(part) {
                *there = if access.combines() { access.combine(*there, part) } else { part };
            }
        }
    }
}

fn wrong_map(entries: &[Vec<usize>], rows: usize, targets: usize) -> Option<Vec<&'static str>> {
    let mut why = Vec::new();
    if entries.len() != rows {
        why.push("Rows");
    }
    if entries.iter().flatten().any(|&entry| entry >= targets && entry != NONE) {
        why.push("MapEntry");
    }
    (!why.is_empty()).then_some(why)
}

fn is_empty(strategy: Strategy) -> bool {
    strategy.scheme().is_some_and(Scheme::is_empty)
}

/// The slot of the map of a way.
pub fn map_of(way: Way) -> Option<usize> {
    match way {
        Way::Direct => None,
        Way::Entry(map, _) | Way::Computed(map) | Way::All(map) => Some(map),
    }
}

/// The dat of an argument, or the map whose entries it takes, and whether a map leads to it.
fn dat_of(arg: &Arg) -> Option<(usize, Access, bool)> {
    match *arg {
        Arg::Dat(dat, access, way) | Arg::Opt(_, dat, access, way) => Some((dat, access, map_of(way).is_some())),
        Arg::Table(slot) => Some((slot, Access::Read, false)),
        Arg::Global(..) | Arg::Index(_) | Arg::Element => None,
    }
}

/// The slots that an argument uses.
fn slots_of(arg: &Arg) -> Vec<usize> {
    match *arg {
        Arg::Global(slot, _) | Arg::Table(slot) => vec![slot],
        Arg::Element => Vec::new(),
        Arg::Index(way) => map_of(way).into_iter().collect(),
        Arg::Dat(dat, _, way) | Arg::Opt(_, dat, _, way) => map_of(way).into_iter().chain([dat]).collect(),
    }
}
