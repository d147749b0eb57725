//! Sets that gain elements: each element of another set, or of the same one, gets as many as a dat says. Their numbers go by those of their
//! parents, inside by inner numbers and for the user by the user's. So what users see does not depend on inner numbers, and the rows of
//! neighbours lie together.
//!
//! New entries of maps whose entries must lead somewhere are [unset](UNSET) until a loop or a call writes them. [`Mesh::define`] looks for
//! these entries once after they may have been written, before the first loop that needs them.

use super::{MOST_ELEMENTS, MapStore, Mesh};
use crate::data::memory::with_spare;
use crate::data::numbering::Numbering;
use crate::data::place::{MISSING, UNSET};
use crate::data::{parts, room, tasks};
use crate::error::{Error, Result};
use rayon_core::ThreadPool;
use std::any::Any;
use std::ops::Range;

/// Rows that are looked at in the order of memory in the time of one in the user's order.
const FEW: usize = 8;

/// The numbers of new elements.
struct Numbered {
    /// Where the children of each parent begin among all new ones, by the parents' inner numbers, and the end of the last.
    offsets: Vec<u32>,
    /// The numbering of the set from now on; none if inner numbers are the user's. And how it goes on for the new elements: the inner
    /// number of each by the user's number, and the other way round.
    numbering: Option<(Option<Numbering>, [Vec<u32>; 2])>,
}

/// Room for the values of a set: copies of them, or room behind them.
struct Moved {
    capacity: usize,
    data: Vec<(usize, Option<Box<dyn Any + Send + Sync>>)>,
}

/// All that a set becomes when it gains elements; nothing that is seen has changed yet, and nothing can fail any more.
pub(crate) struct Growth {
    map: usize,
    /// The new elements, by users' numbers.
    pub(crate) children: Range<usize>,
    numbered: Numbered,
    moved: Option<Moved>,
    /// The dats whose values are on the host.
    here: Vec<usize>,
}

impl Growth {
    /// The capacity of the set, if it changes.
    pub(crate) fn capacity(&self) -> Option<usize> {
        self.moved.as_ref().map(|moved| moved.capacity)
    }
}

impl Mesh {
    /// Adds elements to the set that a map of [`Mesh::add_children`] leads to, as many for each element that it leads from as the dat
    /// `counts` says, and makes them the rows of the map. Returns how many they are.
    ///
    /// # Errors
    /// [`Error::NotChildren`] for another map, [`Error::OtherSet`] for counts on another set, [`Error::Total`] and
    /// [`Error::SetTooLarge`] for more elements than can be numbered, [`Error::NoMemory`]; nothing has changed then.
    pub(crate) fn grow(&mut self, map: usize, counts: usize, workers: Option<&ThreadPool>) -> Result<usize> {
        let growth = self.growth(map, counts, |_| true, workers)?;
        Ok(self.take_growth(growth))
    }

    /// Prepares a growth. The host has the values of the dats for which `here` says yes; others get room, and no values.
    ///
    /// # Errors
    /// As [`Mesh::grow`].
    pub(crate) fn growth(
        &mut self,
        map: usize,
        counts: usize,
        here: impl Fn(usize) -> bool,
        workers: Option<&ThreadPool>,
    ) -> Result<Growth> {
        let MapStore { from, to, ref children, .. } = *self.maps[map];
        if children.is_none() {
            return Err(Error::NotChildren { map: self.maps[map].name.clone() });
        }
        self.on_set(&self.dats[counts], from)?;
        let old = self.sets[to].size;
        let (users, total) = self.sums(counts, |user| self.sets[from].inner(user))?;
        let new = old + total as usize;
        if new > MOST_ELEMENTS {
            return Err(Error::SetTooLarge { set: self.sets[to].name.clone(), size: new, max: MOST_ELEMENTS });
        }
        self.moves = true;
        let numbered = self.numbered(map, counts, users, total)?;
        let here: Vec<usize> = self.values_on(to).filter(|dat| here(*dat)).collect();
        let moved = self.moved(to, new, &here, workers)?;
        self.reserve(map, total as usize, new, workers)?;
        Ok(Growth { map, children: old..new, numbered, moved, here })
    }

    /// Adds elements to a set, and returns how many they are.
    pub(crate) fn take_growth(&mut self, growth: Growth) -> usize {
        let Growth { map, children, numbered, moved, here } = growth;
        let MapStore { from, to, .. } = *self.maps[map];
        let (parents, added) = (self.sets[from].size, children.len());
        self.add_elements(to, children.end, moved, &here);
        if let Some((first, [inner, user])) = numbered.numbering.filter(|_| added > 0) {
            let set = self.sets[to].change();
            let numbering = set.numbering.take().or(first);
            set.numbering = numbering.map(|mut numbering| {
                numbering.extend(&inner, &user);
                numbering
            });
        }
        self.take_children(map, numbered.offsets, children, parents);
        added
    }

    /// The numbers of the new elements. `users` are the sums of their counts before each parent, by the user's numbers.
    fn numbered(&mut self, map: usize, counts: usize, mut users: Vec<u32>, total: u32) -> Result<Numbered> {
        let MapStore { from, to, ref name, .. } = *self.maps[map];
        let old = self.sets[to].size as u32;
        let rows = || format!("the rows of map `{name}`");
        users.push(total);
        if self.sets[from].numbering.is_none() && self.sets[to].numbering.is_none() {
            return Ok(Numbered { offsets: users, numbering: None });
        }
        let (mut offsets, _) = self.sums(counts, |inner| inner)?;
        offsets.push(total);
        let mut inner = room::filled(rows, 0, total as usize)?;
        let mut user = room::filled(rows, 0, total as usize)?;
        let parents = &self.sets[from];
        let following = |first: u32, list: &mut [u32]| list.iter_mut().zip(old + first..).for_each(|(to, n)| *to = n);
        parts::for_each_list(&mut inner, &users, |parent, list| following(offsets[parents.inner(parent)], list));
        parts::for_each_list(&mut user, &offsets, |parent, list| following(users[parents.user(parent)], list));
        let numbers = format!("the numbers of set `{}`", self.sets[to].name);
        let what = || numbers.clone();
        let more = total as usize;
        // Room changes nothing that is seen.
        let first = match &mut self.sets[to].note().numbering {
            Some(numbering) => numbering.reserve(more, what).map(|()| None)?,
            None => {
                let mut numbering = Numbering::same(old as usize, what)?;
                numbering.reserve(more, what)?;
                Some(numbering)
            }
        };
        Ok(Numbered { offsets, numbering: Some((first, [inner, user])) })
    }

    /// The capacity of a set that is to have `size` elements, and so much room for the values on it, with those that are `here`; none if
    /// there is room.
    fn moved(
        &mut self,
        set: usize,
        size: usize,
        here: &[usize],
        workers: Option<&ThreadPool>,
    ) -> Result<Option<Moved>> {
        let capacity = self.sets[set].capacity;
        if size <= capacity {
            return Ok(None);
        }
        let dats: Vec<usize> = self.values_on(set).collect();
        let Mesh { sets, dats: stores, .. } = self;
        let mut of = |capacity: usize| -> Result<Moved> {
            let room =
                |&dat: &usize| Ok((dat, stores[dat].reserve(&sets[set], capacity, here.contains(&dat), workers)?));
            Ok(Moved { capacity, data: dats.iter().map(room).collect::<Result<_>>()? })
        };
        let generous = with_spare(capacity).clamp(size as u128, MOST_ELEMENTS as u128) as usize;
        of(generous).or_else(|_| of(size)).map(Some)
    }

    /// Makes room for the rows of `size` elements in the maps that lead from the set which the map `map` leads to, and for the new rows of
    /// that map.
    fn reserve(&mut self, map: usize, children: usize, size: usize, workers: Option<&ThreadPool>) -> Result<()> {
        let to = self.maps[map].to;
        let Mesh { maps, dats, .. } = self;
        for (number, store) in maps.iter_mut().enumerate() {
            let MapStore { name, from, arity, data, offsets, .. } = store.note();
            let entries = dats[*data].scalars_mut::<u32>();
            let what = || format!("map `{name}`");
            if number == map {
                entries.reserve(what, children as u128, workers)?;
            } else if *from == to {
                match offsets {
                    None => entries.reserve(what, size as u128 * *arity as u128, workers)?,
                    Some(offsets) => room::reserve(what, offsets, (size + 1).saturating_sub(offsets.len()))?,
                }
            }
        }
        Ok(())
    }

    /// Adds elements behind all others of a set: values of its dats, and rows of maps that lead from it. There is room for them.
    fn add_elements(&mut self, set: usize, size: usize, moved: Option<Moved>, here: &[usize]) {
        let old = self.sets[set].size;
        if size == old {
            return;
        }
        let store = self.sets[set].change();
        store.size = size;
        store.forget_order();
        if let Some(Moved { capacity, data }) = moved {
            store.capacity = capacity;
            data.into_iter().for_each(|(dat, data)| self.dats[dat].take(capacity, data));
        }
        let Mesh { sets, dats, maps, .. } = self;
        for (n, dat) in dats.iter_mut().enumerate().filter(|(_, dat)| dat.set == set && dat.of_map.is_none()) {
            if here.contains(&n) { dat.begin(&sets[set], old..size) } else { dat.change() }
        }
        for map in maps.iter_mut().filter(|map| map.from == set) {
            let data = map.data;
            map.change().add_rows(&mut dats[data], old..size);
        }
    }

    /// Makes new elements, by users' numbers, the rows of a map.
    fn take_children(&mut self, map: usize, mut offsets: Vec<u32>, children: Range<usize>, parents: usize) {
        let (rows, reach) = (self.sets[self.maps[map].from].size, self.sets[self.maps[map].to].size);
        debug_assert_eq!(offsets.len(), parents + 1);
        // New elements that are themselves parents have no children yet.
        offsets.resize(rows + 1, children.len() as u32);
        let dat = &mut self.dats[self.maps[map].data];
        dat.change();
        let entries = dat.scalars_mut::<u32>();
        entries.set_len(children.len());
        let len = parts::part_len(children.len());
        // Inside, they come in the order of their parents.
        parts::for_each(entries, len, |part, entries| {
            let first = (children.start + part * len) as u32;
            entries.iter_mut().zip(first..).for_each(|(entry, child)| *entry = child);
        });
        let store = self.maps[map].change();
        store.replace_offsets(offsets);
        store.entries_changed(reach);
        (store.defined, store.children) = (rows, Some(children));
    }

    /// Fails unless all elements of the set that a map leads from have all entries.
    ///
    /// # Errors
    /// [`Error::Unset`] for the first element without.
    pub(crate) fn expect_defined(&mut self, map: usize) -> Result<()> {
        let from = self.maps[map].from;
        let Some(element) = self.define(map, self.sets[from].size) else { return Ok(()) };
        let [map, set] = [&self.maps[map].name, &self.sets[from].name].map(String::clone);
        Err(Error::Unset { map, element, set })
    }

    /// Looks whether the rows of elements whose users' numbers are below `end` have all entries, as far as this is not known. Returns the
    /// first element without, by the user's number.
    pub(crate) fn define(&mut self, map: usize, end: usize) -> Option<usize> {
        let store = &self.maps[map];
        let (first, from) = (store.defined, &self.sets[store.from]);
        if first >= end.min(from.size) {
            return None;
        }
        let (entries, arity) = (self.entries(map), store.arity);
        // In the order of memory it costs far less to find out that there is none. The user's order tells which one is the first.
        let begin = if from.numbering.is_none() { first } else { 0 };
        let few = from.size - begin > FEW * (from.size - first);
        let unset = if few || parts::contain(&entries[begin * arity..from.size * arity], UNSET) {
            let is_unset = |user: usize| entries[from.inner(user) * arity..][..arity].contains(&UNSET);
            let len = parts::part_len(from.size - first);
            let part = |part: usize| (first + part * len..from.size).take(len).find(|&user| is_unset(user));
            tasks::map((from.size - first).div_ceil(len), part).into_iter().flatten().next()
        } else {
            None
        };
        let defined = unset.unwrap_or(from.size);
        self.maps[map].note().defined = defined;
        unset.filter(|unset| *unset < end)
    }
}

impl MapStore {
    /// Adds the rows of new elements: missing entries, unset ones, or no entries.
    fn add_rows(&mut self, data: &mut super::DatStore, new: Range<usize>) {
        data.change();
        self.forget_filled();
        let arity = self.arity;
        if let Some(offsets) = &mut self.offsets {
            let end = offsets.last().copied().unwrap_or(0);
            offsets.resize(new.end + 1, end);
            self.defined = new.end;
            return;
        }
        let entries = data.scalars_mut::<u32>();
        entries.set_len(new.end * arity);
        let entry = self.fresh_entry();
        let len = parts::part_len(new.len()) * arity;
        if arity > 0 {
            parts::for_each(&mut entries[new.start * arity..], len, |_, entries| entries.fill(entry));
        }
        if self.may_miss() || arity == 0 {
            self.defined = new.end;
        }
    }

    /// The entries that new elements get.
    pub(crate) fn fresh_entry(&self) -> u32 {
        if self.may_miss() { MISSING } else { UNSET }
    }
}

#[cfg(test)]
mod tests;
