//! The model of calls between loops that need no kernel.

use super::{Expect, MapModel, Model, OTHER_MESH};
use crate::data;
use crate::kinds::{MapKind, NONE, Tag, UNSET};
use crate::step::{FOREIGN, Id, Step, Wrong};
use std::collections::BTreeMap;

const OTHER_SET: &str = "OtherSet";

/// Runs `$body` with the entries of a table for two ids; leaves the call out if one was never declared.
fn both<T>(table: &BTreeMap<Id, T>, a: Id, b: Id) -> Option<Result<[&T; 2], Expect>> {
    let known = |id: Id| id == FOREIGN || table.contains_key(&id);
    if !known(a) || !known(b) {
        return None;
    }
    Some(match (table.get(&a), table.get(&b)) {
        (Some(a), Some(b)) => Ok([a, b]),
        _ => Err(Expect::Fails(vec![OTHER_MESH])),
    })
}

impl Model {
    /// Applies such a call; none if it uses handles that were never declared.
    pub(super) fn between(&mut self, step: &Step) -> Option<Expect> {
        match *step {
            Step::Swap { a, b, .. } => self.swap(a, b),
            Step::FillMap { map, kind, seed, wrong } => self.fill_map(map, kind, (seed, wrong)),
            Step::SwapMaps { a, b, .. } => self.swap_maps(a, b),
            Step::Invert { id, map, kind } => self.invert(id, map, kind),
            Step::Select { subset, flags, .. } => self.select(subset, flags),
            Step::Scan { counts, into } => self.scan(counts, into),
            Step::Compact { set, tag, keep } => self.compact(set, tag, keep),
            Step::DeclChildren { id, from, to } => self.declare_children(id, from, to),
            Step::Grow { rows, counts } => self.grow(rows, counts),
            _ => None,
        }
    }

    fn swap(&mut self, a: Id, b: Id) -> Option<Expect> {
        match both(&self.dats, a, b)? {
            Err(expect) => return Some(expect),
            Ok([one, other]) if one.set != other.set => return Some(Expect::Fails(vec![OTHER_SET])),
            Ok(_) => {}
        }
        let values = std::mem::take(&mut self.dats.get_mut(&a)?.values);
        let values = std::mem::replace(&mut self.dats.get_mut(&b)?.values, values);
        // A dat that changes places with itself has none any more.
        if a != b {
            self.dats.get_mut(&a)?.values = values;
        }
        Some(Expect::Ok)
    }

    fn swap_maps(&mut self, a: Id, b: Id) -> Option<Expect> {
        match both(&self.maps, a, b)? {
            Err(expect) => return Some(expect),
            Ok([one, other]) if one.from != other.from => return Some(Expect::Fails(vec![OTHER_SET])),
            Ok([one, other]) if one.to != other.to => return Some(Expect::Fails(vec!["OtherTarget"])),
            Ok(_) => {}
        }
        let [mut one, mut other] = [self.maps[&a].clone(), self.maps[&b].clone()];
        std::mem::swap(&mut one.rows, &mut other.rows);
        std::mem::swap(&mut one.reach, &mut other.reach);
        if a != b {
            self.maps.extend([(a, one), (b, other)]);
        }
        Some(Expect::Ok)
    }

    fn fill_map(&mut self, map: Id, kind: MapKind, (seed, wrong): (u64, Option<Wrong>)) -> Option<Expect> {
        if map == FOREIGN {
            return Some(Expect::Fails(vec![OTHER_MESH]));
        }
        let targets = self.sets[&self.maps.get(&map)?.to].size;
        let target = data::target(kind, targets, seed, wrong);
        if target >= targets && target != NONE {
            return Some(Expect::Fails(vec!["MapEntry"]));
        }
        let map = self.maps.get_mut(&map)?;
        map.rows.iter_mut().for_each(|row| row.fill(target));
        map.reach = if target == NONE { 0 } else { target + 1 };
        Some(Expect::Ok)
    }

    fn invert(&mut self, id: Id, map: Id, kind: MapKind) -> Option<Expect> {
        if map == FOREIGN {
            return Some(Expect::Fails(vec![OTHER_MESH]));
        }
        let (from, to) = (self.maps.get(&map)?.to, self.maps[&map].from);
        let kind = kind.inverse();
        let rows = MapModel { kind, from, to, rows: Vec::new(), reach: 0, children: 0..0, of: Some(map) };
        self.maps.insert(id, rows);
        Some(Expect::Ok)
    }

    /// Turns all maps round of which this is asked; those with unset entries have empty rows. A map comes before its inverse.
    pub(super) fn turn(&mut self) {
        let inverses: Vec<(Id, Id)> = self.maps.iter().filter_map(|(id, map)| Some((*id, map.of?))).collect();
        for (id, of) in inverses {
            let (map, unset) = (&self.maps[&of], self.is_unset(of));
            let mut rows = vec![Vec::new(); self.sets[&map.to].size];
            let entries = map.rows.iter().enumerate().flat_map(|(e, row)| row.iter().map(move |target| (e, *target)));
            entries.filter(|(_, target)| !unset && *target != NONE).for_each(|(e, target)| rows[target].push(e));
            let reach = self.sets[&map.from].size;
            self.maps.entry(id).and_modify(|inverse| (inverse.rows, inverse.reach) = (rows, reach));
        }
    }

    /// Whether some entry of a map was never written, or one of the map that it turns round.
    pub fn is_unset(&self, map: Id) -> bool {
        let map = &self.maps[&map];
        map.of.map_or_else(|| map.rows.iter().flatten().any(|entry| *entry == UNSET), |of| self.is_unset(of))
    }

    /// The elements whose flags say yes.
    fn chosen(&self, flags: Id) -> Vec<usize> {
        let flags = self.dats[&flags].values.iter().enumerate();
        flags.filter(|(_, flag)| **flag != 0.0).map(|(element, _)| element).collect()
    }

    fn select(&mut self, subset: Id, flags: Id) -> Option<Expect> {
        let known = (
            subset == FOREIGN || self.subsets.contains_key(&subset),
            flags == FOREIGN || self.dats.contains_key(&flags),
        );
        if known != (true, true) {
            return None;
        }
        if [subset, flags].contains(&FOREIGN) {
            return Some(Expect::Fails(vec![OTHER_MESH]));
        }
        if self.subsets[&subset].set != self.dats[&flags].set {
            return Some(Expect::Fails(vec![OTHER_SET]));
        }
        let (elements, size) = (self.chosen(flags), self.sets[&self.dats[&flags].set].size);
        let subset = self.subsets.get_mut(&subset)?;
        (subset.elements, subset.reach) = (elements, size);
        Some(Expect::Ok)
    }

    fn scan(&mut self, counts: Id, into: Id) -> Option<Expect> {
        match both(&self.dats, counts, into)? {
            Err(expect) => return Some(expect),
            Ok([one, other]) if one.set != other.set => return Some(Expect::Fails(vec![OTHER_SET])),
            Ok(_) => {}
        }
        let mut sum = 0.0;
        let before = |count: &f64| {
            sum += count;
            sum - count
        };
        let sums = self.dats[&counts].values.iter().map(before).collect();
        if sum > f64::from(u32::MAX) {
            return Some(Expect::Fails(vec!["Total"]));
        }
        self.dats.get_mut(&into)?.values = sums;
        Some(Expect::Ok)
    }

    fn compact(&mut self, set: Id, tag: Tag, keep: Id) -> Option<Expect> {
        let known = (set == FOREIGN || self.sets.contains_key(&set), keep == FOREIGN || self.dats.contains_key(&keep));
        if known != (true, true) {
            return None;
        }
        if [set, keep].contains(&FOREIGN) {
            return Some(Expect::Fails(vec![OTHER_MESH]));
        }
        if self.dats[&keep].set != set {
            return Some(Expect::Fails(vec![OTHER_SET]));
        }
        debug_assert_eq!(self.sets[&set].tag, tag);
        let old = self.chosen(keep);
        let mut new = vec![NONE; self.sets[&set].size];
        old.iter().enumerate().for_each(|(n, e)| new[*e] = n);
        let stays = |rows: &[Vec<usize>], from: Id| -> Vec<Vec<usize>> {
            if from == set { old.iter().map(|e| rows[*e].clone()).collect() } else { rows.to_vec() }
        };
        let renumbered = |entry: usize| if entry >= UNSET { entry } else { new[entry] };
        let needs = |map: &MapModel| map.to == set && map.kind != MapKind::Near && !map.kind.has_rows();
        let lost = |map: &&MapModel| {
            stays(&map.rows, map.from).iter().flatten().any(|entry| *entry != UNSET && new[*entry] == NONE)
        };
        if self.maps.values().filter(|map| needs(map)).any(|map| lost(&map)) {
            return Some(Expect::Fails(vec!["Kept"]));
        }
        let before = |number: usize| old.iter().filter(|e| **e < number).count();
        for map in self.maps.values_mut() {
            map.rows = stays(&map.rows, map.from);
            if map.to == set {
                map.rows.iter_mut().flatten().for_each(|entry| *entry = renumbered(*entry));
                map.reach = before(map.reach);
                map.children = before(map.children.start)..before(map.children.end);
                if map.kind.has_rows() {
                    map.rows.iter_mut().for_each(|row| row.retain(|entry| *entry != NONE));
                }
            }
        }
        for dat in self.dats.values_mut().filter(|dat| dat.set == set) {
            let dim = dat.kind.dim();
            dat.values = old.iter().flat_map(|e| dat.values[e * dim..][..dim].to_vec()).collect();
        }
        for subset in self.subsets.values_mut().filter(|subset| subset.set == set) {
            subset.reach = before(subset.reach);
            subset.elements.retain_mut(|element| {
                *element = new[*element];
                *element != NONE
            });
        }
        self.sets.get_mut(&set)?.size = old.len();
        Some(Expect::Ok)
    }

    fn declare_children(&mut self, id: Id, from: Id, to: Id) -> Option<Expect> {
        match both(&self.sets, from, to)? {
            Err(expect) => return Some(expect),
            Ok([parents, _]) => {
                let rows = vec![Vec::new(); parents.size];
                let kind = MapKind::Born;
                self.maps.insert(id, MapModel { kind, from, to, rows, reach: 0, children: 0..0, of: None });
            }
        }
        Some(Expect::Ok)
    }

    fn grow(&mut self, rows: Id, counts: Id) -> Option<Expect> {
        let known =
            (rows == FOREIGN || self.maps.contains_key(&rows), counts == FOREIGN || self.dats.contains_key(&counts));
        if known != (true, true) {
            return None;
        }
        if [rows, counts].contains(&FOREIGN) {
            return Some(Expect::Fails(vec![OTHER_MESH]));
        }
        let (from, to) = (self.maps[&rows].from, self.maps[&rows].to);
        if self.dats[&counts].set != from {
            return Some(Expect::Fails(vec![OTHER_SET]));
        }
        let total = self.dats[&counts].values.iter().sum::<f64>();
        if total > f64::from(u32::MAX) {
            return Some(Expect::Fails(vec!["Total"]));
        }
        let old = self.sets[&to].size;
        let mut next = old;
        let mut row = |count: &f64| {
            next += *count as usize;
            (next - *count as usize..next).collect()
        };
        let born: Vec<Vec<usize>> = self.dats[&counts].values.iter().map(&mut row).collect();
        for dat in self.dats.values_mut().filter(|dat| dat.set == to) {
            dat.values.extend(dat.fresh.repeat(next - old));
        }
        for map in self.maps.values_mut().filter(|map| map.from == to) {
            let entry = if map.kind == MapKind::Near { NONE } else { UNSET };
            map.rows.resize(next, vec![entry; map.kind.arity()]);
        }
        self.sets.get_mut(&to)?.size = next;
        let map = self.maps.get_mut(&rows)?;
        (map.rows, map.reach, map.children) = (born, next, old..next);
        Some(Expect::Ok)
    }
}
