//! The loops that op2 must refuse.

use super::{Expect, Model, dat_of, map_of, slots_of};
use crate::kinds::{Access, Arg, MapKind, Slot, UNSET, Way};
use crate::step::{FOREIGN, Id, Loop};
use std::ops::Range;

impl Model {
    /// Checks whether a loop may run. The error is the result that it must have.
    pub(super) fn check(&self, one: &Loop) -> Result<(), Expect> {
        let template = one.kind.template();
        let known = |slot: &Slot, id: &Id| match slot {
            _ if *id == FOREIGN => true,
            Slot::Dat(_) => self.dats.contains_key(id),
            Slot::Map(_) => self.maps.contains_key(id),
            Slot::Global(_) => self.globals.contains_key(id),
        };
        if one.over != FOREIGN && self.elements(one).is_none()
            || !template.slots.iter().zip(&one.slots).all(|(slot, id)| known(slot, id))
        {
            return Err(Expect::Skip);
        }
        let mut faults = Vec::new();
        let off = |arg: &Arg| matches!(arg, Arg::Opt(flag, ..) if !one.flags[*flag]);
        let used = template.args.iter().flat_map(slots_of);
        if one.over == FOREIGN || used.clone().any(|slot| one.slots[slot] == FOREIGN) {
            // With several faults, the one that is reported is open.
            let all = ["OtherMesh", "OtherSet", "MapIndex", "Aliased", "AliasedGlobal", "Collision", "Unset"];
            let absent = template.args.iter().filter(|arg| off(arg)).flat_map(slots_of);
            let only_absent = one.over != FOREIGN
                && used.filter(|&slot| one.slots[slot] == FOREIGN).all(|slot| absent.clone().any(|s| s == slot));
            return Err(if only_absent { Expect::Skip } else { Expect::Fails(all.to_vec()) });
        }
        let (set, elements) = self.elements(one).expect("it was found");
        if template.args.iter().any(|arg| off(arg) && self.is_elsewhere(one, set, arg)) {
            // Whether absent arguments are checked is open.
            return Err(Expect::Skip);
        }
        if template.args.iter().any(|arg| !off(arg) && self.is_elsewhere(one, set, arg)) {
            faults.push("OtherSet");
        }
        let computed = |arg: &Arg| matches!(arg, Arg::Dat(_, _, Way::Computed(map)) if self.beyond(one, *map));
        if template.args.iter().any(computed) {
            faults.push("MapIndex");
        }
        if self.has_two_sets(one, set) {
            faults.push("TwoSets");
        }
        faults.extend(self.aliases(one, &template.args.iter().filter(|arg| !off(arg)).collect::<Vec<_>>()));
        match self.needs_unset(one) {
            None if faults.is_empty() => return Err(Expect::Skip),
            Some(true) => faults.push("Unset"),
            None | Some(false) => {}
        }
        if faults.is_empty() && self.collides(one, &elements) {
            faults.push("Collision");
        }
        if faults.is_empty() { Ok(()) } else { Err(Expect::Fails(faults)) }
    }

    fn beyond(&self, one: &Loop, map: usize) -> bool {
        one.entry >= self.maps[&one.slots[map]].kind.arity()
    }

    /// Whether an argument is on another set than it must be.
    fn is_elsewhere(&self, one: &Loop, set: Id, arg: &Arg) -> bool {
        let (dat, way) = match *arg {
            Arg::Dat(dat, _, way) | Arg::Opt(_, dat, _, way) => (Some(dat), way),
            Arg::Index(way) => (None, way),
            Arg::Global(..) | Arg::Element | Arg::Table(_) => return false,
        };
        let map = map_of(way).map(|map| &self.maps[&one.slots[map]]);
        let expected = map.map_or(set, |map| map.to);
        map.is_some_and(|map| map.from != set) || dat.is_some_and(|dat| self.home(one.slots[dat]) != expected)
    }

    /// Whether the kernel has indices of two sets of one kind.
    fn has_two_sets(&self, one: &Loop, set: Id) -> bool {
        let indexed = |arg: &Arg| match *arg {
            Arg::Element => vec![set],
            Arg::Dat(slot, ..) => self.maps.get(&one.slots[slot]).map(|map| map.to).into_iter().collect(),
            Arg::Table(slot) => match self.maps.get(&one.slots[slot]) {
                Some(map) => vec![map.from, map.to],
                None => vec![self.dats[&one.slots[slot]].set],
            },
            _ => Vec::new(),
        };
        let sets: Vec<Id> = one.kind.template().args.iter().flat_map(indexed).collect();
        sets.iter().any(|a| sets.iter().any(|b| a != b && self.sets[a].tag == self.sets[b].tag))
    }

    fn aliases(&self, one: &Loop, args: &[&Arg]) -> Vec<&'static str> {
        let mut faults = Vec::new();
        for (n, a) in args.iter().enumerate() {
            for b in &args[..n] {
                let (first, second) = (*a, *b);
                if let (Some((a, x, p)), Some((b, y, q))) = (dat_of(a), dat_of(b)) {
                    let harmless = !x.modifies() && !y.modifies() || x == y && x.combines();
                    let separate = x == y && p && q || self.are_apart(one, first, second);
                    if one.slots[a] == one.slots[b] && !(harmless || separate) {
                        faults.push("Aliased");
                    }
                }
                if let (Arg::Global(a, x), Arg::Global(b, y)) = (a, b)
                    && one.slots[*a] == one.slots[*b]
                    && (x.modifies() || y.modifies())
                {
                    faults.push("AliasedGlobal");
                }
            }
        }
        faults
    }

    /// Whether no element that one argument may reach is one of the other's.
    fn are_apart(&self, one: &Loop, a: &Arg, b: &Arg) -> bool {
        let [a, b] = [a, b].map(|arg| self.extent(one, arg));
        a.is_empty() || b.is_empty() || a.end <= b.start || b.end <= a.start
    }

    /// The elements that an argument may reach.
    fn extent(&self, one: &Loop, arg: &Arg) -> Range<usize> {
        match *arg {
            Arg::Table(slot) => 0..self.sets[&self.home(one.slots[slot])].size,
            Arg::Dat(_, _, way) | Arg::Opt(_, _, _, way) => match map_of(way).map(|map| &self.maps[&one.slots[map]]) {
                Some(map) if map.kind == MapKind::Born => map.children.clone(),
                Some(map) => 0..map.reach,
                None => 0..self.own_end(one),
            },
            Arg::Global(..) | Arg::Index(_) | Arg::Element => 0..0,
        }
    }

    /// All elements of a loop are below this one.
    fn own_end(&self, one: &Loop) -> usize {
        if one.subset { self.subsets[&one.over].reach } else { self.sets[&one.over].size }
    }

    /// Whether a loop needs entries that nobody has written; none if that is open, since no element of the loop has such.
    fn needs_unset(&self, one: &Loop) -> Option<bool> {
        let has = |map: usize, end: usize| {
            let (id, map) = (one.slots[map], &self.maps[&one.slots[map]]);
            // All of a map is turned round.
            map.of.is_some() && self.is_unset(id)
                || map.rows[..end.min(map.rows.len())].iter().flatten().any(|entry| *entry == UNSET)
        };
        let mut needs = false;
        for arg in one.kind.template().args {
            match *arg {
                Arg::Opt(flag, ..) if !one.flags[flag] => {}
                Arg::Dat(slot, access, way) | Arg::Opt(_, slot, access, way) => {
                    let followed = map_of(way).is_some_and(|map| has(map, self.own_end(one)));
                    let is_map = self.maps.contains_key(&one.slots[slot]);
                    needs |= followed || is_map && access != Access::Write && has(slot, self.extent(one, arg).end);
                }
                Arg::Index(way) => needs |= map_of(way).is_some_and(|map| has(map, self.own_end(one))),
                Arg::Table(slot) => {
                    needs |= self.maps.contains_key(&one.slots[slot]) && has(slot, self.extent(one, arg).end);
                }
                Arg::Global(..) | Arg::Element => {}
            }
        }
        // Whether an argument that is switched off has its map checked is open.
        let absent = one.kind.template().args.iter().any(|arg| match *arg {
            Arg::Opt(flag, _, _, way) => !one.flags[flag] && map_of(way).is_some_and(|map| has(map, self.own_end(one))),
            _ => false,
        });
        if absent && !needs { None } else { Some(needs) }
    }

    /// Whether an element reaches a target twice in a dat that it writes as a whole.
    fn collides(&self, one: &Loop, elements: &[usize]) -> bool {
        let args = one.kind.template().args;
        let places = |e: usize| {
            let mut all = Vec::new();
            for arg in args {
                let (Arg::Dat(dat, access, way) | Arg::Opt(_, dat, access, way)) = *arg else { continue };
                if access.modifies() && !access.combines() && map_of(way).is_some() {
                    all.extend(self.targets(one, way, e).into_iter().map(|target| (one.slots[dat], target)));
                }
            }
            all.sort_unstable();
            all.windows(2).any(|pair| pair[0] == pair[1])
        };
        elements.iter().any(|&e| places(e))
    }
}
