//! The registry behind the handles: sets, maps, dats, globals and subsets with their data.
//!
//! Everything is checked here, once, when it is declared: a map that got in leads to existing
//! elements only, which is what later lets the loops go without bounds checks.

use crate::error::{Error, Result};
use crate::handle::Id;
use crate::layout::Layout;
use crate::rows::Index;
use crate::value::{Elem, ElemType, Value};
use crate::view::View;
use std::any::Any;
use std::sync::atomic::{AtomicU32, Ordering};

/// All that was declared on one `Op2`.
pub(crate) struct Mesh {
    pub(crate) id: u32,
    pub(crate) sets: Vec<SetStore>,
    pub(crate) subsets: Vec<SubsetStore>,
    pub(crate) maps: Vec<MapStore>,
    pub(crate) dats: Vec<DatStore>,
    pub(crate) globals: Vec<GlobalStore>,
}

pub(crate) struct SetStore {
    pub(crate) name: String,
    pub(crate) size: usize,
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
    pub(crate) entries: Vec<u32>,
    /// Counts the changes of the entries; plans of older versions are not used again.
    pub(crate) version: u32,
}

pub(crate) struct DatStore {
    pub(crate) name: String,
    pub(crate) set: usize,
    pub(crate) bytes: usize,
    pub(crate) elem: ElemType,
    pub(crate) layout: Layout,
    /// A `Vec` of the scalar type.
    data: Box<dyn Any + Send + Sync>,
    /// The data as memory.
    memory: fn(&(dyn Any + Send + Sync)) -> &[u8],
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

    pub(crate) fn add_set(&mut self, name: &str, size: usize) -> Result<usize> {
        let max = u32::MAX as usize;
        if size > max {
            return Err(Error::SetTooLarge { set: name.to_owned(), size, max });
        }
        self.sets.push(SetStore { name: name.to_owned(), size });
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
            checked.push(element);
        }
        self.subsets.push(SubsetStore { set, list: checked });
        Ok(self.subsets.len() - 1)
    }

    pub(crate) fn add_map<I: Index, const A: usize>(
        &mut self,
        name: &str,
        from: usize,
        to: usize,
        rows: &[[I; A]],
    ) -> Result<usize> {
        let entries = self.checked_entries(name, from, to, rows)?;
        self.maps.push(MapStore { name: name.to_owned(), from, to, arity: A, entries, version: 0 });
        Ok(self.maps.len() - 1)
    }

    pub(crate) fn replace_map<I: Index, const A: usize>(&mut self, map: usize, rows: &[[I; A]]) -> Result<()> {
        let MapStore { ref name, from, to, .. } = self.maps[map];
        let entries = self.checked_entries(name, from, to, rows)?;
        self.maps[map].entries = entries;
        self.maps[map].version += 1;
        Ok(())
    }

    fn checked_entries<I: Index, const A: usize>(
        &self,
        name: &str,
        from: usize,
        to: usize,
        rows: &[[I; A]],
    ) -> Result<Vec<u32>> {
        self.check_rows("map", name, from, rows.len())?;
        let to = &self.sets[to];
        let entries = rows.as_flattened().iter().enumerate().map(|(position, &entry)| {
            entry.below(to.size).ok_or_else(|| Error::MapEntry {
                map: name.to_owned(),
                element: position / A,
                index: position % A,
                value: entry.to_string(),
                to: to.name.clone(),
                size: to.size,
            })
        });
        entries.collect()
    }

    pub(crate) fn add_dat<V: Value>(&mut self, name: &str, set: usize, layout: Layout, rows: &[V]) -> Result<usize> {
        self.check_rows("dat", name, set, rows.len())?;
        self.dats.push(DatStore {
            name: name.to_owned(),
            set,
            bytes: size_of::<V>(),
            elem: V::Elem::TYPE,
            layout,
            data: Box::new(pack(rows, layout)),
            memory: |data| V::Elem::bytes(data.downcast_ref::<Vec<V::Elem>>().expect(TYPED)),
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
        let size = self.sets[store.set].size;
        let geometry = store.layout.geometry(size, V::DIM);
        let row = |e| {
            let mut value = V::splat(V::Elem::default());
            for (c, slot) in value.components_mut().iter_mut().enumerate() {
                *slot = data[geometry.offset(e, c)];
            }
            value
        };
        (0..size).map(row).collect()
    }

    /// Replaces the whole dat.
    pub(crate) fn set_rows<V: Value>(&mut self, dat: usize, rows: &[V]) -> Result<()> {
        let DatStore { ref name, set, layout, .. } = self.dats[dat];
        self.check_rows("dat", name, set, rows.len())?;
        self.dats[dat].data = Box::new(pack(rows, layout));
        Ok(())
    }

    /// Gives the dat another layout and these rows.
    pub(crate) fn set_layout<V: Value>(&mut self, dat: usize, layout: Layout, rows: &[V]) {
        self.dats[dat].data = Box::new(pack(rows, layout));
        self.dats[dat].layout = layout;
    }

    /// The dat for a loop body.
    pub(crate) fn view<V: Value>(&mut self, dat: usize) -> View<V> {
        let size = self.sets[self.dats[dat].set].size;
        let store = &mut self.dats[dat];
        let geometry = store.layout.geometry(size, V::DIM);
        View::new(store.scalars_mut::<V>().as_mut_ptr(), geometry)
    }

    fn check_rows(&self, what: &'static str, name: &str, set: usize, found: usize) -> Result<()> {
        let set = &self.sets[set];
        if found == set.size {
            return Ok(());
        }
        Err(Error::Rows { what, name: name.to_owned(), set: set.name.clone(), expected: set.size, found })
    }
}

impl DatStore {
    /// The data as memory, in its layout.
    pub(crate) fn memory(&self) -> &[u8] {
        (self.memory)(&*self.data)
    }

    fn scalars<V: Value>(&self) -> &Vec<V::Elem> {
        self.data.downcast_ref().expect(TYPED)
    }

    fn scalars_mut<V: Value>(&mut self) -> &mut Vec<V::Elem> {
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

/// The rows as scalars in a layout; padding gets default values.
fn pack<V: Value>(rows: &[V], layout: Layout) -> Vec<V::Elem> {
    let geometry = layout.geometry(rows.len(), V::DIM);
    let mut scalars = vec![V::Elem::default(); layout.scalars(rows.len(), V::DIM)];
    for (e, row) in rows.iter().enumerate() {
        for (c, &part) in row.components().iter().enumerate() {
            scalars[geometry.offset(e, c)] = part;
        }
    }
    scalars
}
