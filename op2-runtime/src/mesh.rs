//! The registry behind the handles: sets, maps, dats, globals and subsets with their data.
//!
//! Everything is checked here, once, when it is declared: a map that got in leads to existing
//! elements only, which is what later lets the loops go without bounds checks.

use crate::error::{Error, Result};
use crate::handle::Id;
use crate::inspect::Elements;
use crate::key::Over;
use crate::layout::Layout;
use crate::memory::Memory;
use crate::numbering::{Numbering, Numbers};
use crate::reorder::Link;
use crate::rows::Index;
use crate::value::{Elem, ElemType, Value};
use crate::version::Versioned;
use crate::view::View;
use rayon::ThreadPool;
use std::any::Any;
use std::sync::atomic::{AtomicU32, Ordering};

/// All that was declared on one `Op2`. What stores data takes the `workers` that will use them.
pub(crate) struct Mesh {
    pub(crate) id: u32,
    pub(crate) sets: Vec<Versioned<SetStore>>,
    pub(crate) subsets: Vec<Versioned<SubsetStore>>,
    pub(crate) maps: Vec<Versioned<MapStore>>,
    pub(crate) dats: Vec<DatStore>,
    pub(crate) globals: Vec<GlobalStore>,
}

/// Something of a mesh that plans and launches are made of, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Object {
    Set(usize),
    Subset(usize),
    Map(usize),
    Dat(usize),
}

pub(crate) struct SetStore {
    pub(crate) name: String,
    pub(crate) size: usize,
    /// Where the inner numbers are not the user's. All that is stored goes by inner numbers.
    pub(crate) numbering: Option<Numbering>,
    /// Where the pieces start that a partitioner cut the set into, and where the last one ends.
    pub(crate) pieces: Option<Vec<u32>>,
}

pub(crate) struct SubsetStore {
    pub(crate) set: usize,
    pub(crate) list: Vec<u32>,
}

pub(crate) struct MapStore {
    pub(crate) name: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) arity: usize,
    pub(crate) entries: Memory<u32>,
}

pub(crate) struct DatStore {
    pub(crate) name: String,
    pub(crate) set: usize,
    pub(crate) bytes: usize,
    pub(crate) elem: ElemType,
    /// How the data lie. What they are is nobody's input: it changes with every loop.
    layout: Versioned<Layout>,
    /// `Memory` of the scalar type.
    data: Box<dyn Any + Send + Sync>,
    /// What can be done to the data without knowing their type.
    raw: Raw,
}

/// Functions of a dat's scalar type.
#[derive(Clone, Copy)]
struct Raw {
    memory: fn(&(dyn Any + Send + Sync)) -> &[u8],
    memory_mut: fn(&mut (dyn Any + Send + Sync)) -> &mut [u8],
    address: fn(&mut (dyn Any + Send + Sync)) -> *mut u8,
    /// Moves rows of so many components: the one with number `i` gets the number `new[i]`.
    permute: fn(&mut (dyn Any + Send + Sync), Layout, usize, &[u32], Option<&ThreadPool>),
}

pub(crate) struct GlobalStore {
    pub(crate) name: String,
    pub(crate) value: Box<dyn Any + Send + Sync>,
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
        }
    }

    /// The index of a handle, if it was declared here.
    pub(crate) fn index(&self, id: Id, what: &'static str) -> Result<usize> {
        if id.mesh == self.id { Ok(id.index as usize) } else { Err(Error::OtherMesh { what }) }
    }

    /// The version of an object: it moves whenever anything changes that is made of it, that of its sets included. An object of the same
    /// version is the same but for the values of dats.
    #[inline]
    pub(crate) fn version(&self, object: Object) -> u32 {
        // Each of the versions only rises: the sum stays only if all of them do.
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
                dat.layout.version().wrapping_add(of_set(dat.set))
            }
        }
    }

    /// The elements that a loop runs over.
    pub(crate) fn elements(&self, over: Over) -> Elements<'_> {
        let set = &self.sets[over.set];
        match (over.subset, &set.pieces) {
            (Some(subset), _) => Elements::Subset(&self.subsets[subset].list),
            (None, Some(pieces)) => Elements::Pieces(pieces),
            (None, None) => Elements::All(set.size),
        }
    }

    pub(crate) fn add_set(&mut self, name: &str, size: usize) -> Result<usize> {
        let max = u32::MAX as usize;
        if size > max {
            return Err(Error::SetTooLarge { set: name.to_owned(), size, max });
        }
        self.sets.push(Versioned::new(SetStore { name: name.to_owned(), size, numbering: None, pieces: None }));
        Ok(self.sets.len() - 1)
    }

    pub(crate) fn add_subset<I: Index>(&mut self, name: &str, set: usize, list: &[I]) -> Result<usize> {
        let store = &self.sets[set];
        let mut first = vec![usize::MAX; store.size];
        let mut checked = Vec::with_capacity(list.len());
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
        self.subsets.push(Versioned::new(SubsetStore { set, list: checked }));
        Ok(self.subsets.len() - 1)
    }

    pub(crate) fn add_map<I: Index, const A: usize>(
        &mut self,
        name: &str,
        from: usize,
        to: usize,
        rows: &[[I; A]],
        workers: Option<&ThreadPool>,
    ) -> Result<usize> {
        let entries = self.checked_entries(name, from, to, rows, workers)?;
        self.maps.push(Versioned::new(MapStore { name: name.to_owned(), from, to, arity: A, entries }));
        Ok(self.maps.len() - 1)
    }

    pub(crate) fn replace_map<I: Index, const A: usize>(
        &mut self,
        map: usize,
        rows: &[[I; A]],
        workers: Option<&ThreadPool>,
    ) -> Result<()> {
        let MapStore { ref name, from, to, .. } = *self.maps[map];
        let entries = self.checked_entries(name, from, to, rows, workers)?;
        self.maps[map].change().entries = entries;
        Ok(())
    }

    fn checked_entries<I: Index, const A: usize>(
        &self,
        name: &str,
        from: usize,
        to: usize,
        rows: &[[I; A]],
        workers: Option<&ThreadPool>,
    ) -> Result<Memory<u32>> {
        self.check_rows("map", name, from, rows.len())?;
        let (from, to) = (&self.sets[from], &self.sets[to]);
        let mut entries = Memory::zeroed(rows.len() * A, 1, workers);
        for (element, row) in rows.iter().enumerate() {
            let place = from.inner(element) * A;
            for (index, &entry) in row.iter().enumerate() {
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
        self.dats.push(DatStore {
            name: name.to_owned(),
            set,
            bytes: size_of::<V>(),
            elem: V::Elem::TYPE,
            layout: Versioned::new(layout),
            data: Box::new(pack(rows, layout, self.sets[set].numbering.as_ref(), workers)),
            raw: Raw::of::<V::Elem>(),
        });
        Ok(self.dats.len() - 1)
    }

    pub(crate) fn add_global<G: Send + Sync + 'static>(&mut self, name: &str, value: G) -> usize {
        self.globals.push(GlobalStore { name: name.to_owned(), value: Box::new(value) });
        self.globals.len() - 1
    }

    /// The whole dat, in the user's order.
    pub(crate) fn rows<V: Value>(&self, dat: usize) -> Vec<V> {
        self.rows_in::<V>(dat, self.dats[dat].scalars::<V>())
    }

    /// The rows that `data` holds, the storage of a dat.
    pub(crate) fn rows_in<V: Value>(&self, dat: usize, data: &[V::Elem]) -> Vec<V> {
        let store = &self.dats[dat];
        let set = &self.sets[store.set];
        let geometry = store.layout.geometry(set.size, V::DIM);
        let row = |e| {
            let e = set.inner(e);
            let mut value = V::splat(V::Elem::default());
            for (c, slot) in value.components_mut().iter_mut().enumerate() {
                *slot = data[geometry.offset(e, c)];
            }
            value
        };
        (0..set.size).map(row).collect()
    }

    /// Replaces the whole dat.
    pub(crate) fn set_rows<V: Value>(&mut self, dat: usize, rows: &[V]) -> Result<()> {
        let DatStore { ref name, set, .. } = self.dats[dat];
        self.check_rows("dat", name, set, rows.len())?;
        let layout = self.dats[dat].layout();
        let Mesh { sets, dats, .. } = self;
        fill(dats[dat].scalars_mut::<V>(), rows, layout, sets[set].numbering.as_ref());
        Ok(())
    }

    /// Gives the dat another layout and these rows.
    pub(crate) fn set_layout<V: Value>(
        &mut self,
        dat: usize,
        layout: Layout,
        rows: &[V],
        workers: Option<&ThreadPool>,
    ) {
        let numbering = self.sets[self.dats[dat].set].numbering.as_ref();
        self.dats[dat].data = Box::new(pack(rows, layout, numbering, workers));
        *self.dats[dat].layout.change() = layout;
    }

    /// The dat for a loop body.
    pub(crate) fn view<V: Value>(&mut self, dat: usize) -> View<V> {
        let size = self.sets[self.dats[dat].set].size;
        let store = &mut self.dats[dat];
        let geometry = store.layout.geometry(size, V::DIM);
        View::new(store.scalars_mut::<V>().address(), geometry)
    }

    /// The user's numbers of a set's elements.
    pub(crate) fn numbers(&self, set: usize) -> Numbers {
        Numbers::of_set(self.sets[set].numbering.as_ref())
    }

    /// Gives elements other inner numbers: in set `s` the one with number `i` gets the number `new[s][i]`. Maps, dats
    /// and subsets follow; a subset then runs in the new order.
    pub(crate) fn renumber(&mut self, new: &[Option<Vec<u32>>], workers: Option<&ThreadPool>) {
        for map in &mut self.maps {
            let ends = (new[map.from].as_deref(), new[map.to].as_deref());
            if ends != (None, None) {
                map.change().renumber(ends.0, ends.1, workers);
            }
        }
        for dat in &mut self.dats {
            let Some(new) = &new[dat.set] else { continue };
            let dim = dat.bytes / dat.elem.bytes();
            (dat.raw.permute)(&mut *dat.data, *dat.layout, dim, new, workers);
        }
        for subset in &mut self.subsets {
            let Some(new) = &new[subset.set] else { continue };
            let list = &mut subset.change().list;
            list.iter_mut().for_each(|e| *e = new[*e as usize]);
            list.sort_unstable();
        }
        for (set, new) in self.sets.iter_mut().zip(new) {
            let Some(new) = new else { continue };
            let set = set.change();
            set.pieces = None;
            set.numbering = Some(match &set.numbering {
                Some(numbering) => numbering.renumbered(new),
                None => Numbering::new(new.clone()),
            });
        }
    }

    fn check_rows(&self, what: &'static str, name: &str, set: usize, found: usize) -> Result<()> {
        let set = &self.sets[set];
        if found == set.size {
            return Ok(());
        }
        Err(Error::Rows { what, name: name.to_owned(), set: set.name.clone(), expected: set.size, found })
    }
}

impl SetStore {
    /// The inner number of the user's element `e`.
    #[inline]
    pub(crate) fn inner(&self, e: usize) -> usize {
        self.numbering.as_ref().map_or(e, |n| n.inner(e))
    }

    /// The user's number of the element with inner number `e`.
    pub(crate) fn user(&self, e: usize) -> usize {
        self.numbering.as_ref().map_or(e, |n| n.user()[e] as usize)
    }
}

impl MapStore {
    /// Follows new numbers of the sets that it leads from and to.
    fn renumber(&mut self, from: Option<&[u32]>, to: Option<&[u32]>, workers: Option<&ThreadPool>) {
        let mut entries = Memory::zeroed(self.entries.len(), 1, workers);
        self.link().renumbered_into(from, to, &mut entries);
        self.entries = entries;
    }

    /// The map as the reordering sees it.
    pub(crate) fn link(&self) -> Link<'_> {
        Link { from: self.from, to: self.to, arity: self.arity, entries: &self.entries }
    }
}

impl DatStore {
    /// How the data lie.
    #[inline]
    pub(crate) fn layout(&self) -> Layout {
        *self.layout
    }

    /// The data as memory, in its layout.
    pub(crate) fn memory(&self) -> &[u8] {
        (self.raw.memory)(&*self.data)
    }

    /// The same, to be changed.
    pub(crate) fn memory_mut(&mut self) -> &mut [u8] {
        (self.raw.memory_mut)(&mut *self.data)
    }

    /// Where the data are. Views of the dat stay valid, as they would not if the data were borrowed.
    pub(crate) fn address(&mut self) -> *mut u8 {
        (self.raw.address)(&mut *self.data)
    }

    fn scalars<V: Value>(&self) -> &Memory<V::Elem> {
        self.data.downcast_ref().expect(TYPED)
    }

    fn scalars_mut<V: Value>(&mut self) -> &mut Memory<V::Elem> {
        self.data.downcast_mut().expect(TYPED)
    }
}

impl GlobalStore {
    pub(crate) fn get<G: 'static>(&self) -> &G {
        self.value.downcast_ref().expect(TYPED)
    }

    pub(crate) fn any_mut(&mut self) -> &mut dyn Any {
        &mut *self.value
    }

    pub(crate) fn get_mut<G: 'static>(&mut self) -> &mut G {
        self.value.downcast_mut().expect(TYPED)
    }
}

/// Why a downcast cannot fail: a handle of this mesh was made with the type of its data.
const TYPED: &str = "a typed handle leads to data of its type";

impl Raw {
    fn of<E: Elem>() -> Self {
        Raw {
            memory: |data| E::bytes(data.downcast_ref::<Memory<E>>().expect(TYPED)),
            memory_mut: |data| E::bytes_mut(data.downcast_mut::<Memory<E>>().expect(TYPED)),
            address: |data| data.downcast_mut::<Memory<E>>().expect(TYPED).address().cast(),
            permute: |data, layout, dim, new, workers| {
                let scalars: &mut Memory<E> = data.downcast_mut().expect(TYPED);
                let geometry = layout.geometry(new.len(), dim);
                let mut moved = Memory::zeroed(scalars.len(), layout.runs(dim), workers);
                for (old, &new) in new.iter().enumerate() {
                    for c in 0..dim {
                        moved[geometry.offset(new as usize, c)] = scalars[geometry.offset(old, c)];
                    }
                }
                *scalars = moved;
            },
        }
    }
}

/// The user's rows as scalars in a layout; padding is zero.
fn pack<V: Value>(
    rows: &[V],
    layout: Layout,
    numbering: Option<&Numbering>,
    workers: Option<&ThreadPool>,
) -> Memory<V::Elem> {
    let mut scalars = Memory::zeroed(layout.scalars(rows.len(), V::DIM), layout.runs(V::DIM), workers);
    fill(&mut scalars, rows, layout, numbering);
    scalars
}

/// Writes the user's rows to the storage of a dat.
fn fill<V: Value>(scalars: &mut [V::Elem], rows: &[V], layout: Layout, numbering: Option<&Numbering>) {
    let geometry = layout.geometry(rows.len(), V::DIM);
    for (e, row) in rows.iter().enumerate() {
        let e = numbering.map_or(e, |n| n.inner(e));
        for (c, &part) in row.components().iter().enumerate() {
            scalars[geometry.offset(e, c)] = part;
        }
    }
}
