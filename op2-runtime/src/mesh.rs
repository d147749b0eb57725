//! The registry behind the handles: sets, maps, dats, globals and subsets with their data.
//!
//! Declarations are checked here, once. The entries of a declared map are elements of its target set, so loops need no
//! bounds checks.

pub(crate) mod between;
pub(crate) mod bindings;
mod compact;
mod dats;
pub(crate) mod grow;
pub(crate) mod handle;
mod invert;
mod maps;
pub(crate) mod pairs;
pub(crate) mod rows;
mod stores;

use crate::data::layout::Layout;
use crate::data::memory::Memory;
use crate::data::numbering::{Numbering, Numbers};
use crate::data::place::{MISSING, UNSET};
use crate::data::room;
use crate::data::value::{Elem, Value};
use crate::data::version::Versioned;
use crate::data::view::View;
use crate::error::{Error, Result};
pub(crate) use crate::mesh::dats::DatStore;
use crate::mesh::handle::Id;
pub(crate) use crate::mesh::maps::MapStore;
use crate::mesh::pairs::PairsStore;
use crate::mesh::rows::{Entry, Index};
pub(crate) use crate::mesh::stores::{GlobalStore, Kind, SetStore, SubsetStore};
use rayon_core::ThreadPool;
#[cfg(test)]
use std::any::TypeId;
use std::sync::atomic::{AtomicU32, Ordering};

/// The most elements of a set: the numbers behind them stand for entries of maps that lead nowhere.
pub(crate) const MOST_ELEMENTS: usize = UNSET as usize;

/// All that was declared on one `Op2`. Functions that allocate data take the `workers` that will use them.
pub(crate) struct Mesh {
    pub(crate) id: u32,
    pub(crate) sets: Vec<Versioned<SetStore>>,
    pub(crate) subsets: Vec<Versioned<SubsetStore>>,
    pub(crate) maps: Vec<Versioned<MapStore>>,
    pub(crate) dats: Vec<DatStore>,
    pub(crate) globals: Vec<GlobalStore>,
    pub(crate) pairs: Vec<PairsStore>,
    /// Whether maps, subsets or sizes change as the program runs: what is estimated is then not counted anew after each change.
    pub(crate) moves: bool,
}

/// An object of the mesh that plans and launches depend on, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Object {
    Set(usize),
    Subset(usize),
    Map(usize),
    Dat(usize),
}

impl Mesh {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Mesh {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            sets: Vec::new(),
            subsets: Vec::new(),
            maps: Vec::new(),
            dats: Vec::new(),
            globals: Vec::new(),
            pairs: Vec::new(),
            moves: false,
        }
    }

    /// The index of a handle, if it was declared here.
    pub(crate) fn index(&self, id: Id, what: &'static str) -> Result<usize> {
        if id.mesh == self.id { Ok(id.index as usize) } else { Err(Error::OtherMesh { what }) }
    }

    /// The version of an object. It rises when the object changes (values of dats aside) or the numbering of its sets.
    /// An object of the same version is the same, except for the values of dats.
    #[inline]
    pub(crate) fn version(&self, object: Object) -> u32 {
        // Each of the versions only rises, so the sum is unchanged only if all of them are.
        let of_set = |set: usize| self.sets[set].version();
        match object {
            Object::Set(set) => of_set(set),
            Object::Subset(subset) => {
                let subset = &self.subsets[subset];
                subset.version().wrapping_add(of_set(subset.set))
            }
            Object::Map(map) => {
                let map = &self.maps[map];
                map.version().wrapping_add(of_set(map.from)).wrapping_add(of_set(map.to))
            }
            Object::Dat(dat) => {
                let dat = &self.dats[dat];
                dat.version().wrapping_add(of_set(dat.set))
            }
        }
    }

    /// Adds a set of no kind, for tests.
    #[cfg(test)]
    pub(crate) fn add_set(&mut self, name: &str, size: usize, shuffle: Option<u64>) -> Result<usize> {
        self.add_set_of((TypeId::of::<()>(), "()"), name, size, shuffle)
    }

    /// Adds a set of a kind; with a seed, its internal numbering is random.
    pub(crate) fn add_set_of(&mut self, kind: Kind, name: &str, size: usize, shuffle: Option<u64>) -> Result<usize> {
        let max = MOST_ELEMENTS;
        if size > max {
            return Err(Error::SetTooLarge { set: name.to_owned(), size, max });
        }
        let what = || format!("the numbers of set `{name}`");
        let numbering = shuffle.map(|seed| Numbering::random(size, seed, what)).transpose()?;
        self.sets.push(Versioned::new(SetStore {
            name: name.to_owned(),
            kind,
            size,
            capacity: size,
            numbering,
            pieces: None,
            places: None,
        }));
        Ok(self.sets.len() - 1)
    }

    pub(crate) fn add_subset<I: Index>(&mut self, name: &str, set: usize, list: &[I]) -> Result<usize> {
        let store = &self.sets[set];
        let what = || format!("subset `{name}`");
        let mut first = room::filled(what, usize::MAX, store.size)?;
        let mut checked = room::list(what, list.len())?;
        for (position, &entry) in list.iter().enumerate() {
            let fault =
                |reason| Error::SubsetEntry { subset: name.to_owned(), position, value: entry.to_string(), reason };
            let Some(element) = entry.below(store.size) else {
                return Err(fault(format!("expected 0..{}, an element of set `{}`", store.size, store.name)));
            };
            match &mut first[element as usize] {
                free @ &mut usize::MAX => *free = position,
                taken => return Err(fault(format!("which is entry {taken} already: name each element once"))),
            }
            checked.push(store.inner(element as usize) as u32);
        }
        self.subsets.push(Versioned::new(SubsetStore { name: name.to_owned(), set, list: checked, reach: store.size }));
        Ok(self.subsets.len() - 1)
    }

    pub(crate) fn add_map<I: Entry, const A: usize>(
        &mut self,
        name: &str,
        from: usize,
        to: usize,
        rows: &[[I; A]],
        workers: Option<&ThreadPool>,
    ) -> Result<usize> {
        let entries = self.checked_entries(name, from, to, rows, workers)?;
        let data = self.add_entries(name, from, A, entries);
        self.maps.push(Versioned::new(MapStore::new(name, (from, to), self.sizes(from, to), A, I::MAY_MISS, data)));
        Ok(self.maps.len() - 1)
    }

    pub(crate) fn replace_map<I: Entry, const A: usize>(
        &mut self,
        map: usize,
        rows: &[[I; A]],
        workers: Option<&ThreadPool>,
    ) -> Result<()> {
        let MapStore { ref name, from, to, .. } = *self.maps[map];
        let entries = self.checked_entries(name, from, to, rows, workers)?;
        self.replace_entries(map, entries);
        Ok(())
    }

    /// Adds a map whose rows have any length.
    pub(crate) fn add_rows<O: Index, I: Index>(
        &mut self,
        name: &str,
        (from, to): (usize, usize),
        offsets: &[O],
        targets: &[I],
        workers: Option<&ThreadPool>,
    ) -> Result<usize> {
        let (offsets, entries) = self.checked_rows(name, (from, to), offsets, targets, workers)?;
        let data = self.add_entries(name, from, 0, entries);
        self.maps.push(Versioned::new(MapStore::of_rows(name, (from, to), self.sizes(from, to), offsets, data)));
        Ok(self.maps.len() - 1)
    }

    pub(crate) fn replace_rows<O: Index, I: Index>(
        &mut self,
        map: usize,
        offsets: &[O],
        targets: &[I],
        workers: Option<&ThreadPool>,
    ) -> Result<()> {
        let MapStore { ref name, from, to, ref children, inverse, .. } = *self.maps[map];
        if children.is_some() {
            return Err(Error::Children { map: name.clone() });
        }
        if inverse.is_some() {
            return Err(Error::Inverse { map: name.clone() });
        }
        let (offsets, entries) = self.checked_rows(name, (from, to), offsets, targets, workers)?;
        self.maps[map].change().replace_offsets(offsets);
        self.replace_entries(map, entries);
        Ok(())
    }

    /// Adds a map whose rows [`Mesh::grow`] fills.
    pub(crate) fn add_children(&mut self, name: &str, from: usize, to: usize) -> Result<usize> {
        let offsets = room::filled(|| format!("the rows of map `{name}`"), 0, self.sets[from].size + 1)?;
        let sizes = self.sizes(from, to);
        let data = self.add_entries(name, from, 0, Memory::zeroed(|| format!("map `{name}`"), 0, 1, None)?);
        let children = Some(sizes[1]..sizes[1]);
        let mut map = MapStore::of_rows(name, (from, to), sizes, offsets, data);
        map.children = children;
        self.maps.push(Versioned::new(map));
        Ok(self.maps.len() - 1)
    }

    /// The sizes of two sets.
    fn sizes(&self, from: usize, to: usize) -> [usize; 2] {
        [from, to].map(|set| self.sets[set].size)
    }

    /// The starts and the entries of rows by inner numbers.
    fn checked_rows<O: Index, I: Index>(
        &self,
        name: &str,
        (from, to): (usize, usize),
        offsets: &[O],
        targets: &[I],
        workers: Option<&ThreadPool>,
    ) -> Result<(Vec<u32>, Memory<u32>)> {
        let (from, to) = (&self.sets[from], &self.sets[to]);
        let starts = rows::starts(name, (&from.name, from.size), offsets, targets.len())?;
        let what = || format!("the rows of map `{name}`");
        let mut placed = room::filled(what, 0_u32, from.size + 1)?;
        for element in 0..from.size {
            placed[from.inner(element) + 1] = starts(element + 1) - starts(element);
        }
        for place in 0..from.size {
            placed[place + 1] += placed[place];
        }
        let mut entries = Memory::zeroed(|| format!("map `{name}`"), targets.len() as u128, 1, workers)?;
        for element in 0..from.size {
            let row = starts(element) as usize..starts(element + 1) as usize;
            let place = placed[from.inner(element)] as usize;
            for (index, &entry) in targets[row].iter().enumerate() {
                let target = entry.below(to.size).ok_or_else(|| Error::MapEntry {
                    map: name.to_owned(),
                    element,
                    index,
                    value: entry.to_string(),
                    to: to.name.clone(),
                    size: to.size,
                })?;
                entries[place + index] = to.inner(target as usize) as u32;
            }
        }
        Ok((placed, entries))
    }

    fn checked_entries<I: Entry, const A: usize>(
        &self,
        name: &str,
        from: usize,
        to: usize,
        rows: &[[I; A]],
        workers: Option<&ThreadPool>,
    ) -> Result<Memory<u32>> {
        self.check_rows("map", name, from, rows.len())?;
        let (from, to) = (&self.sets[from], &self.sets[to]);
        let mut entries = Memory::zeroed(|| format!("map `{name}`"), rows.len() as u128 * A as u128, 1, workers)?;
        for (element, row) in rows.iter().enumerate() {
            let place = from.inner(element) * A;
            for (index, &entry) in row.iter().enumerate() {
                let Some(entry) = entry.given() else {
                    entries[place + index] = MISSING;
                    continue;
                };
                let target = entry.below(to.size).ok_or_else(|| Error::MapEntry {
                    map: name.to_owned(),
                    element,
                    index,
                    value: entry.to_string(),
                    to: to.name.clone(),
                    size: to.size,
                });
                entries[place + index] = to.inner(target? as usize) as u32;
            }
        }
        Ok(entries)
    }

    pub(crate) fn add_dat<V: Value>(
        &mut self,
        name: &str,
        set: usize,
        layout: Layout,
        rows: &[V],
        workers: Option<&ThreadPool>,
    ) -> Result<usize> {
        self.check_rows("dat", name, set, rows.len())?;
        self.add_dat_by(name, set, layout, |e| rows[e], workers)
    }

    /// States the value that new elements get of a dat, instead of zeros.
    pub(crate) fn set_fresh<V: Value>(&mut self, dat: usize, value: V) {
        self.dats[dat].set_fresh(value);
    }

    /// Adds a dat whose element `e` is `row(e)`, by the user's numbers.
    pub(crate) fn add_dat_by<V: Value>(
        &mut self,
        name: &str,
        set: usize,
        layout: Layout,
        row: impl Fn(usize) -> V,
        workers: Option<&ThreadPool>,
    ) -> Result<usize> {
        let dat = DatStore::new(name, (set, &self.sets[set]), layout, row, workers)?;
        self.dats.push(dat);
        Ok(self.dats.len() - 1)
    }

    pub(crate) fn add_global<G: Send + Sync + 'static>(&mut self, name: &str, value: G) -> usize {
        self.globals.push(GlobalStore { name: name.to_owned(), value: Box::new(value) });
        self.globals.len() - 1
    }

    /// The whole dat, in the user's order.
    pub(crate) fn rows<V: Value>(&self, dat: usize) -> Result<Vec<V>> {
        self.rows_in::<V>(dat, self.scalars::<V>(dat))
    }

    /// The storage of a dat.
    pub(crate) fn scalars<V: Value>(&self, dat: usize) -> &[V::Elem] {
        self.dats[dat].scalars::<V>()
    }

    /// The rows that `data` holds, the storage of a dat.
    pub(crate) fn rows_in<V: Value>(&self, dat: usize, data: &[V::Elem]) -> Result<Vec<V>> {
        let store = &self.dats[dat];
        store.rows_in(&self.sets[store.set], data)
    }

    /// The same into `rows`, as many as [`Mesh::check_buffer`] asks for.
    pub(crate) fn rows_into<V: Value>(&self, dat: usize, data: &[V::Elem], rows: &mut [V]) {
        let store = &self.dats[dat];
        let row = store.row_in(&self.sets[store.set], data);
        rows.iter_mut().enumerate().for_each(|(e, to)| *to = row(e));
    }

    /// Whether a buffer of `found` rows holds a dat.
    pub(crate) fn check_buffer(&self, dat: usize, found: usize) -> Result<()> {
        let DatStore { ref name, set, .. } = self.dats[dat];
        let set = &self.sets[set];
        if found == set.size {
            return Ok(());
        }
        Err(Error::Buffer { dat: name.clone(), set: set.name.clone(), expected: set.size, found })
    }

    /// The user's number of an element of a dat's set, if there is one.
    pub(crate) fn element<I: Index>(&self, dat: usize, element: I) -> Result<usize> {
        let store = &self.dats[dat];
        let set = &self.sets[store.set];
        element.below(set.size).map(|e| e as usize).ok_or_else(|| Error::Element {
            dat: store.name.clone(),
            set: set.name.clone(),
            element: element.to_string(),
            size: set.size,
        })
    }

    /// The row of the user's element `e` that `data` holds, the storage of a dat or as much of it as [`Mesh::until`] says.
    pub(crate) fn row_in<V: Value>(&self, dat: usize, data: &[V::Elem], e: usize) -> V {
        let store = &self.dats[dat];
        store.row_in(&self.sets[store.set], data)(e)
    }

    /// Scalars from the start of a dat's storage to the end of the row of the user's element `e`.
    pub(crate) fn until<V: Value>(&self, dat: usize, e: usize) -> usize {
        let store = &self.dats[dat];
        store.until::<V>(&self.sets[store.set], e)
    }

    /// Replaces the row of the user's element `e`.
    pub(crate) fn set_row<V: Value>(&mut self, dat: usize, e: usize, row: V) {
        let Mesh { sets, dats, .. } = self;
        let set = dats[dat].set;
        dats[dat].set_row(&sets[set], e, row);
    }

    /// Replaces the whole dat.
    pub(crate) fn set_rows<V: Value>(&mut self, dat: usize, rows: &[V]) -> Result<()> {
        let DatStore { ref name, set, .. } = self.dats[dat];
        self.check_rows("dat", name, set, rows.len())?;
        let Mesh { sets, dats, .. } = self;
        dats[dat].set_rows(&sets[set], rows);
        Ok(())
    }

    /// Gives the dat another layout and these rows. If memory is short, it is unchanged.
    pub(crate) fn set_layout<V: Value>(
        &mut self,
        dat: usize,
        layout: Layout,
        rows: &[V],
        workers: Option<&ThreadPool>,
    ) -> Result<()> {
        let Mesh { sets, dats, .. } = self;
        let set = dats[dat].set;
        dats[dat].set_layout(&sets[set], layout, rows, workers)
    }

    /// The dat for a loop body.
    pub(crate) fn view<V: Value>(&mut self, dat: usize) -> View<V> {
        let Mesh { sets, dats, .. } = self;
        let set = dats[dat].set;
        dats[dat].view(&sets[set])
    }

    /// The user's numbers of a set's elements.
    pub(crate) fn numbers(&self, set: usize) -> Numbers {
        Numbers::of_set(self.sets[set].numbering.as_ref())
    }

    /// Gives elements other inner numbers: in set `s` the one with number `i` gets the number `new[s][i]`. Maps, dats
    /// and subsets follow; a subset then runs in the new order. If memory is short, nothing changes.
    pub(crate) fn renumber(&mut self, new: &[Option<Vec<u32>>], workers: Option<&ThreadPool>) -> Result<()> {
        let moved = |set: usize| new[set].is_some();
        // Steps that may fail come first: the tables of the new numbers, and a buffer in which maps and dats are
        // permuted in turn.
        let numbered = self.sets.iter().zip(new).map(|(set, new)| set.renumbered(new.as_deref()));
        let numberings = numbered.collect::<Result<Vec<_>>>()?;
        let old = self.sets.iter().zip(new).map(|(set, new)| set.old_numbers(new.as_deref()));
        let old = old.collect::<Result<Vec<_>>>()?;
        let maps = self.maps.iter().filter(|map| moved(map.from) || moved(map.to));
        let maps = maps.map(|map| map.words_aside() + self.dats[map.data].memory().len() / size_of::<u32>());
        let dats =
            self.dats.iter().filter(|dat| moved(dat.set)).map(|dat| dat.memory().len().div_ceil(size_of::<u32>()));
        let words = maps.chain(dats).max().unwrap_or(0) as u128;
        let mut aside = Memory::<u32>::zeroed(|| "a map or a dat in its new order".to_owned(), words, 1, workers)?;
        for map in &mut self.maps {
            let ends = (new[map.from].as_deref(), new[map.to].as_deref());
            if ends != (None, None) {
                let entries = &mut self.dats[map.data];
                entries.change();
                map.change().renumber(entries.scalars_mut::<u32>(), ends.0, ends.1, &mut aside);
            }
        }
        for dat in self.dats.iter_mut().filter(|dat| dat.of_map.is_none()) {
            let Some(old) = &old[dat.set] else { continue };
            dat.renumber(self.sets[dat.set].capacity, old, u32::bytes_mut(&mut aside));
        }
        for subset in &mut self.subsets {
            let Some(new) = &new[subset.set] else { continue };
            let list = &mut subset.change().list;
            list.iter_mut().for_each(|e| *e = new[*e as usize]);
            list.sort_unstable();
        }
        for (set, numbering) in self.sets.iter_mut().zip(numberings) {
            let Some(numbering) = numbering else { continue };
            let set = set.change();
            set.numbering = Some(numbering);
            set.forget_order();
        }
        Ok(())
    }

    fn check_rows(&self, what: &'static str, name: &str, set: usize, found: usize) -> Result<()> {
        let set = &self.sets[set];
        if found == set.size {
            return Ok(());
        }
        Err(Error::Rows { what, name: name.to_owned(), set: set.name.clone(), expected: set.size, found })
    }
}

#[cfg(test)]
mod tests;
