//! Stored dats: values in their layouts.

use super::stores::TYPED;
use super::{Mesh, SetStore};
use crate::data::layout::{Geometry, Layout};
use crate::data::memory::{LINE, Memory};
use crate::data::parts;
use crate::data::room;
use crate::data::value::{Elem, ElemType, Value};
use crate::data::version::Versioned;
use crate::data::view::View;
use crate::error::Result;
use places::Places;
use rayon_core::ThreadPool;
use std::any::Any;
use std::ops::Range;

mod places;

pub(crate) struct DatStore {
    pub(crate) name: String,
    pub(crate) set: usize,
    pub(crate) bytes: usize,
    pub(crate) elem: ElemType,
    /// The map whose entries are the values. It follows them when sets change; the layout is AoS.
    pub(crate) of_map: Option<usize>,
    /// The scalars of the value that new elements get; a `Vec` of the scalar type.
    fresh: AnyData,
    /// The layout of the data. Only the layout has a version, because values change with every loop and nothing cached
    /// depends on them.
    layout: Versioned<Layout>,
    /// How often its values may have changed.
    changes: u64,
    /// `Memory` of the scalar type.
    data: AnyData,
    /// Functions on the data that need not know their type.
    raw: Raw,
}

/// Functions of a dat's scalar type.
#[derive(Clone, Copy)]
struct Raw {
    memory: fn(&Data) -> &[u8],
    memory_mut: fn(&mut Data) -> &mut [u8],
    address: fn(&mut Data) -> *mut u8,
    /// The bytes of the value that new elements get, a `Vec` of the scalar type.
    fresh: fn(&Data) -> &[u8],
    /// Gives the rows other numbers: arguments are the data, their places, the old number of each row, and a buffer as large as the data.
    renumber: fn(&mut Data, &Places, &[u32], &mut [u8]),
    /// Keeps some rows: arguments are the data, their places, the old number of each row that stays, ascending, and the number of all rows.
    keep: fn(&mut Data, &Places, &[u32], usize),
    /// Memory of so many scalars in so many runs, to which the data are copied, if there are any. The function describes it in the error.
    moved: Move,
    /// Room for so many scalars behind those of the data, which is zero. The function describes it in the error.
    reserve: Reserve,
    /// Takes so many scalars of that room.
    extend: fn(&mut Data, usize),
    /// Gives the rows of a range a value, which is a `Vec` of its scalars.
    fill: fn(&mut Data, &Places, Range<usize>, &Data),
}

type Move = fn(Option<&Data>, &dyn Fn() -> String, u128, usize, Option<&ThreadPool>) -> Result<AnyData>;

type Reserve = fn(&mut Data, &dyn Fn() -> String, u128, Option<&ThreadPool>) -> Result<()>;

/// `Memory` of some scalar type, or a `Vec` of it.
type Data = dyn Any + Send + Sync;

/// The same, owned.
type AnyData = Box<Data>;

impl DatStore {
    /// The layout of the data.
    #[inline]
    pub(crate) fn layout(&self) -> Layout {
        *self.layout
    }

    /// The data as memory, in its layout.
    pub(crate) fn memory(&self) -> &[u8] {
        (self.raw.memory)(&*self.data)
    }

    /// The same, mutable.
    pub(crate) fn memory_mut(&mut self) -> &mut [u8] {
        (self.raw.memory_mut)(&mut *self.data)
    }

    /// The address of the data. Asking for it leaves views of the dat valid; borrowing the data would not.
    pub(crate) fn address(&mut self) -> *mut u8 {
        (self.raw.address)(&mut *self.data)
    }

    /// A dat whose element `e` is `row(e)`, by the user's numbers.
    pub(super) fn new<V: Value>(
        name: &str,
        (set, store): (usize, &SetStore),
        layout: Layout,
        row: impl Fn(usize) -> V,
        workers: Option<&ThreadPool>,
    ) -> Result<Self> {
        Ok(DatStore {
            name: name.to_owned(),
            set,
            bytes: size_of::<V>(),
            elem: V::Elem::TYPE,
            of_map: None,
            fresh: fresh(V::splat(V::Elem::default())),
            layout: Versioned::new(layout),
            changes: 0,
            data: Box::new(pack(name, store, row, layout, workers)?),
            raw: Raw::of::<V::Elem>(),
        })
    }

    /// States the value that new elements get, instead of zeros.
    pub(super) fn set_fresh<V: Value>(&mut self, value: V) {
        self.fresh = fresh(value);
    }

    /// Makes room for so many elements, behind the data where their places stay, else in other memory, with a copy of the data if they
    /// are to be `copied`. `set` is the set of the dat.
    pub(super) fn reserve(
        &mut self,
        set: &SetStore,
        capacity: usize,
        copied: bool,
        workers: Option<&ThreadPool>,
    ) -> Result<Option<AnyData>> {
        let what = || format!("dat `{}` on set `{}`", self.name, set.name);
        let (runs, len) = (self.layout().runs(self.components()), self.scalars_of(capacity));
        if runs == 1 {
            (self.raw.reserve)(&mut *self.data, &what, len, workers)?;
            return Ok(None);
        }
        (self.raw.moved)(copied.then_some(&*self.data), &what, len, runs, workers).map(Some)
    }

    /// The bytes of the value that new elements get.
    pub(crate) fn fresh_bytes(&self) -> &[u8] {
        (self.raw.fresh)(&*self.fresh)
    }

    /// Takes this room for so many elements.
    pub(super) fn take(&mut self, capacity: usize, moved: Option<AnyData>) {
        let len = self.scalars_of(capacity) as usize;
        match moved {
            Some(data) => self.data = data,
            None => (self.raw.extend)(&mut *self.data, len),
        }
    }

    /// The scalars of memory with room for `capacity` elements. The number may exceed the address space.
    pub(crate) fn scalars_of(&self, capacity: usize) -> u128 {
        self.layout().scalars(capacity, self.components(), self.elem.bytes())
    }

    /// Gives new elements, by inner numbers, the value that was stated for them.
    pub(super) fn begin(&mut self, set: &SetStore, new: Range<usize>) {
        self.change();
        let places = self.places(set);
        (self.raw.fill)(&mut *self.data, &places, new, &*self.fresh);
    }

    /// Gives all elements the same value.
    pub(super) fn fill<V: Value>(&mut self, set: &SetStore, value: V) {
        self.change();
        let places = self.places(set);
        (self.raw.fill)(&mut *self.data, &places, 0..set.size, &*fresh(value));
    }

    fn places(&self, set: &SetStore) -> Places {
        Places { layout: self.layout(), dim: self.components(), capacity: set.capacity }
    }

    /// Notes that its values change.
    pub(crate) fn change(&mut self) {
        self.changes += 1;
    }

    /// How often that was noted. Only a search of pairs depends on values.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// The version of the layout.
    pub(super) fn version(&self) -> u32 {
        self.layout.version()
    }

    /// The rows that `data` holds, in the user's order. `data` is the storage of this dat, or a copy of it.
    pub(super) fn rows_in<V: Value>(&self, set: &SetStore, data: &[V::Elem]) -> Result<Vec<V>> {
        room::all(|| format!("the values of dat `{}`", self.name), set.size, self.row_in(set, data))
    }

    /// The row of each element that `data` holds, by the user's numbers. `data` is the storage of this dat, a copy of it, or as
    /// much of one as [`DatStore::until`] says.
    pub(super) fn row_in<V: Value>(&self, set: &SetStore, data: &[V::Elem]) -> impl Fn(usize) -> V {
        let geometry = self.geometry(set);
        move |e| {
            let e = set.inner(e);
            let mut value = V::splat(V::Elem::default());
            // SAFETY: the scalars are those of a value of the dat.
            for (c, slot) in unsafe { value.components_mut() }.iter_mut().enumerate() {
                *slot = data[geometry.offset(e, c)];
            }
            value
        }
    }

    /// Where the components of elements are. `set` is the set of the dat.
    pub(crate) fn geometry(&self, set: &SetStore) -> Geometry {
        self.layout.geometry(set.capacity, self.components(), self.elem.bytes())
    }

    /// Scalars of an element.
    pub(crate) fn components(&self) -> usize {
        self.bytes / self.elem.bytes()
    }

    /// Cache lines that hold an element, if no element nearby shares them.
    pub(crate) fn lines(&self) -> usize {
        match self.layout() {
            Layout::Soa => self.components(),
            layout => self.components().min((layout.group() * self.bytes).div_ceil(LINE)),
        }
    }

    /// Components that lie in columns of their own, if there are several.
    pub(crate) fn columns(&self) -> usize {
        if self.layout() == Layout::Soa && self.components() > 1 { self.components() } else { 0 }
    }

    /// Scalars from the start of the storage to the end of the row of the user's element `e`.
    pub(super) fn until<V: Value>(&self, set: &SetStore, e: usize) -> usize {
        let last = V::DIM.checked_sub(1);
        last.map_or(0, |last| self.geometry(set).offset(set.inner(e), last) + 1)
    }

    /// Replaces the row of the user's element `e`.
    pub(super) fn set_row<V: Value>(&mut self, set: &SetStore, e: usize, row: V) {
        let geometry = self.geometry(set);
        self.change();
        put(self.scalars_mut::<V>(), geometry, set.inner(e), row);
    }

    /// Replaces all values.
    pub(super) fn set_rows<V: Value>(&mut self, set: &SetStore, rows: &[V]) {
        let layout = self.layout();
        self.change();
        fill(self.scalars_mut::<V>(), set, |e| rows[e], layout);
    }

    /// Changes to another layout and these rows. If memory is short, the dat is unchanged.
    pub(super) fn set_layout<V: Value>(
        &mut self,
        set: &SetStore,
        layout: Layout,
        rows: &[V],
        workers: Option<&ThreadPool>,
    ) -> Result<()> {
        self.data = Box::new(pack(&self.name, set, |e| rows[e], layout, workers)?);
        *self.layout.change() = layout;
        Ok(())
    }

    /// Exchanges the values with those of another dat of the same type on the same set, and the layouts with them.
    pub(super) fn swap(&mut self, other: &mut DatStore) {
        std::mem::swap(&mut self.data, &mut other.data);
        if self.layout() != other.layout() {
            std::mem::swap(self.layout.change(), other.layout.change());
        }
        self.change();
        other.change();
    }

    /// The dat for a loop body.
    pub(super) fn view<V: Value>(&mut self, set: &SetStore) -> View<V> {
        let geometry = self.geometry(set);
        View::new(self.scalars_mut::<V>().address(), geometry)
    }

    /// Gives the rows other inner numbers: the one with the number `old[n]` gets the number `n`, and all others leave. There is room for
    /// `capacity` rows, and `aside` has room for a copy.
    pub(super) fn renumber(&mut self, capacity: usize, old: &[u32], aside: &mut [u8]) {
        let places = Places { layout: *self.layout, dim: self.components(), capacity };
        (self.raw.renumber)(&mut *self.data, &places, old, aside);
    }

    /// Keeps the rows of a set of `size` elements, with room for `capacity`, whose inner numbers are `old`, ascending: they get numbers from
    /// 0 on. Needs no other memory.
    pub(super) fn keep(&mut self, [size, capacity]: [usize; 2], old: &[u32]) {
        let places = Places { layout: *self.layout, dim: self.components(), capacity };
        (self.raw.keep)(&mut *self.data, &places, old, size);
    }

    pub(super) fn scalars<V: Value>(&self) -> &Memory<V::Elem> {
        self.data.downcast_ref().expect(TYPED)
    }

    pub(super) fn scalars_mut<V: Value>(&mut self) -> &mut Memory<V::Elem> {
        self.data.downcast_mut().expect(TYPED)
    }
}

impl Mesh {
    /// Adds the entries of the next map to come, `arity` for each element; returns the number of the dat.
    pub(super) fn add_entries(&mut self, name: &str, from: usize, arity: usize, entries: Memory<u32>) -> usize {
        let dat = DatStore {
            name: name.to_owned(),
            set: from,
            bytes: arity * size_of::<u32>(),
            elem: ElemType::U32,
            of_map: Some(self.maps.len()),
            fresh: Box::new(Vec::<u32>::new()),
            layout: Versioned::new(Layout::Aos),
            changes: 0,
            data: Box::new(entries),
            raw: Raw::of::<u32>(),
        };
        self.dats.push(dat);
        self.dats.len() - 1
    }
}

impl Raw {
    fn of<E: Elem>() -> Self {
        Raw {
            memory: |data| E::bytes(data.downcast_ref::<Memory<E>>().expect(TYPED)),
            memory_mut: |data| E::bytes_mut(data.downcast_mut::<Memory<E>>().expect(TYPED)),
            address: |data| data.downcast_mut::<Memory<E>>().expect(TYPED).address().cast(),
            renumber: |data, places, old, aside| {
                let memory = E::bytes_mut(data.downcast_mut::<Memory<E>>().expect(TYPED));
                let aside = &mut aside[..memory.len()];
                places::gather::<E>(memory, places, old, aside);
                parts::copy(aside, memory);
            },
            keep: |data, places, old, size| {
                places::keep(data.downcast_mut::<Memory<E>>().expect(TYPED), places, old, size);
            },
            fresh: |value| E::bytes(value.downcast_ref::<Vec<E>>().expect(TYPED)),
            moved: |data, what, len, runs, workers| {
                let old = data.map_or(&[][..], |data| data.downcast_ref::<Memory<E>>().expect(TYPED));
                let mut new = Memory::<E>::zeroed(what, len, runs, workers)?;
                // In each run, elements come in order, and those with the same number at the same place.
                let [from, to] = [old.len(), new.len()].map(|len| len / runs.max(1));
                if from > 0 {
                    new.chunks_mut(to)
                        .zip(old.chunks(from))
                        .for_each(|(to, from)| parts::copy(from, &mut to[..from.len()]));
                }
                Ok(Box::new(new))
            },
            reserve: |data, what, len, workers| {
                data.downcast_mut::<Memory<E>>().expect(TYPED).reserve_exact(what, len, workers)
            },
            extend: |data, len| data.downcast_mut::<Memory<E>>().expect(TYPED).set_len(len),
            fill: |data, places, range, value| {
                let value = value.downcast_ref::<Vec<E>>().expect(TYPED);
                places::fill(data.downcast_mut::<Memory<E>>().expect(TYPED), places, range, value);
            },
        }
    }
}

/// The scalars of a value.
fn fresh<V: Value>(value: V) -> AnyData {
    Box::new(value.components().to_vec())
}

/// The user's rows as scalars in a layout; padding is zero.
fn pack<V: Value>(
    name: &str,
    set: &SetStore,
    row: impl Fn(usize) -> V,
    layout: Layout,
    workers: Option<&ThreadPool>,
) -> Result<Memory<V::Elem>> {
    let len = layout.scalars(set.capacity, V::DIM, size_of::<V::Elem>());
    let mut scalars = Memory::zeroed(|| format!("dat `{name}`"), len, layout.runs(V::DIM), workers)?;
    fill(&mut scalars, set, row, layout);
    Ok(scalars)
}

/// Writes the user's rows to the storage of a dat.
fn fill<V: Value>(scalars: &mut [V::Elem], set: &SetStore, row: impl Fn(usize) -> V, layout: Layout) {
    let geometry = layout.geometry(set.capacity, V::DIM, size_of::<V::Elem>());
    for user in 0..set.size {
        put(scalars, geometry, set.inner(user), row(user));
    }
}

/// Writes the row of the element with inner number `e`.
#[inline(always)]
fn put<V: Value>(scalars: &mut [V::Elem], geometry: Geometry, e: usize, row: V) {
    for (c, &part) in row.components().iter().enumerate() {
        scalars[geometry.offset(e, c)] = part;
    }
}
