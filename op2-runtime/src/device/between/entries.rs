//! Entries of maps that the device has: row by row as values of a dat, which kernels write, or entry by entry, as loops follow them. The
//! device renumbers them and brings them from one form into the other.

use super::super::{DeviceState, Mirror, Newest};
use super::values::Values;
use crate::data::memory::with_spare;
use crate::data::value::Elem;
use crate::mesh::{MOST_ELEMENTS, MapStore, Mesh, Object};
use crate::plan::key::StoredMap;
use op2_device::between::{self, MARK};
use op2_device::{Arg, Buffer, Result};
use std::ops::Range;

/// Entries by new numbers.
#[derive(Default)]
pub(super) struct Renumbered {
    /// Of each map, row by row.
    pub(super) entries: Vec<Buffer>,
    /// Whether a row lacks an entry that it needs.
    pub(super) lacks: bool,
}

impl DeviceState {
    /// Whether the device has the newest entries of a map with rows of one length.
    pub(super) fn has_entries(&self, mesh: &Mesh, map: usize) -> bool {
        let store = &mesh.maps[map];
        store.offsets.is_none() && store.arity > 0 && self.entries(mesh, map).is_some()
    }

    /// These entries, and the distance from one entry of a row to the next one.
    fn entries(&self, mesh: &Mesh, map: usize) -> Option<(Buffer, usize)> {
        let MapStore { data, from, .. } = *mesh.maps[map];
        if self.has_newest(mesh, data) {
            return Some((self.dats[data].buffer.clone()?, 1));
        }
        let (_, buffer) = self.maps.get(&map).filter(|known| known.0 == mesh.version(Object::Map(map)))?;
        Some((buffer.clone(), mesh.sets[from].size))
    }

    /// The entries of maps after elements have left a set: those in the list stay, `left` in number. Nothing has changed yet.
    pub(super) fn renumber_entries(
        &mut self,
        mesh: &Mesh,
        maps: &[usize],
        list: &Buffer,
        (set, left): (usize, usize),
    ) -> Result<Renumbered> {
        let leads = |map: &MapStore| map.to == set;
        let numbers = match maps.iter().any(|map| leads(&mesh.maps[*map])) {
            true => Some(self.new_numbers(list, left, mesh.sets[set].size)?),
            false => None,
        };
        let mut renumbered = Renumbered::default();
        let mut needed = false;
        for &map in maps {
            let store = &mesh.maps[map];
            let Some((from, stride)) = self.entries(mesh, map) else { unreachable!("the device has the entries") };
            let (list, rows) = match store.from == set {
                true => (Some(list), left),
                false => (None, mesh.sets[store.from].size),
            };
            let to = self.room_for(store, rows)?;
            let places = [Values { stride, ..row_by_row(&from, store) }, row_by_row(&to, store)];
            match numbers.as_ref().filter(|_| leads(store)) {
                None => self.move_elements(size_of::<u32>(), places, list, rows)?,
                Some(numbers) => {
                    needed |= store.needs_targets();
                    let needs = u32::from(store.needs_targets()).to_ne_bytes();
                    self.move_by(between::RENUMBER, places, list, &[Arg::Buffer(Some(numbers)), Arg::Bytes(&needs)])?;
                }
            }
            renumbered.entries.push(to);
        }
        if let Some(numbers) = numbers.filter(|_| needed) {
            let mut mark = [MARK];
            self.device.download(&numbers, u32::bytes_mut(&mut mark))?;
            renumbered.lacks = mark[0] != MARK;
        }
        Ok(renumbered)
    }

    /// The entries of a map from a set that gains elements, row by row, with those that new elements get.
    pub(super) fn grown_entries(&mut self, mesh: &Mesh, map: usize, new: Range<usize>) -> Result<Buffer> {
        let store = &mesh.maps[map];
        let Some((from, stride)) = self.entries(mesh, map) else { unreachable!("the device has the entries") };
        let has_room = stride == 1 && from.bytes() >= bytes_of(store, new.end);
        let to = if has_room { from.clone() } else { self.generous_room_for(store, new.clone())? };
        let of_to = row_by_row(&to, store);
        if !has_room {
            let of_from = Values { stride, ..row_by_row(&from, store) };
            self.move_elements(size_of::<u32>(), [of_from, of_to], None, new.start)?;
        }
        // Nobody sees rows behind the last one before they are taken.
        let row = vec![store.fresh_entry(); store.arity];
        self.fill_places(&to, &of_to.places(), new, u32::bytes(&row), size_of::<u32>())?;
        Ok(to)
    }

    /// The new numbers of `size` elements of which those in the list stay, behind the mark.
    fn new_numbers(&mut self, list: &Buffer, left: usize, size: usize) -> Result<Buffer> {
        let scalars = 1 + size;
        let numbers = self.device.allocate("new numbers", scalars * size_of::<u32>(), size_of::<u32>())?;
        let places = between::places(scalars, 1, 1);
        self.fill_places(&numbers, &places, 0..scalars, u32::bytes(&[MARK]), size_of::<u32>())?;
        if left > 0 {
            let args = [Arg::Buffer(Some(list)), Arg::Bytes(&(left as u64).to_ne_bytes()), Arg::Buffer(Some(&numbers))];
            self.between_kernels()?.launch(&*self.device, between::NUMBER, self.between.blocks(left), &args)?;
        }
        Ok(numbers)
    }

    /// Takes the newest entries of a map, row by row.
    pub(super) fn take_entries(&mut self, mesh: &Mesh, data: usize, entries: Buffer) {
        debug_assert!(entries.bytes() >= mesh.dats[data].memory().len(), "the host has room for as many");
        if self.dats.len() <= data {
            self.dats.resize_with(data + 1, Mirror::default);
        }
        let version = mesh.version(Object::Dat(data));
        self.dats[data] = Mirror { buffer: Some(entries), newest: Newest::Device, version };
    }

    /// A map entry by entry, if the device has its newest entries row by row.
    pub(in crate::device) fn entry_by_entry(&mut self, map: &StoredMap<'_>) -> Result<Option<Buffer>> {
        let store = map.store;
        let there = store.offsets.is_none() && store.arity > 0 && self.has_version(store.data, map.data);
        let Some(from) = self.dats.get(store.data).filter(|_| there).and_then(|mirror| mirror.buffer.clone()) else {
            return Ok(None);
        };
        let of_from = row_by_row(&from, store);
        let rows = map.entries.len() / store.arity;
        let to = self.room_for(store, rows)?;
        let of_to = Values { stride: rows, ..row_by_row(&to, store) };
        self.move_elements(size_of::<u32>(), [of_from, of_to], None, rows)?;
        Ok(Some(to))
    }

    /// Memory for the entries of so many rows.
    fn room_for(&self, store: &MapStore, rows: usize) -> Result<Buffer> {
        self.device.allocate(&format!("map `{}`", store.name), bytes_of(store, rows), size_of::<u32>())
    }

    /// Memory for the entries of a map that gains rows, with room for more of them, so that repeated growth copies each entry a few times
    /// at most.
    fn generous_room_for(&self, store: &MapStore, new: Range<usize>) -> Result<Buffer> {
        let generous = with_spare(new.start).clamp(new.end as u128, MOST_ELEMENTS as u128) as usize;
        self.room_for(store, generous).or_else(|_| self.room_for(store, new.end))
    }
}

/// Bytes that the entries of `rows` rows take.
fn bytes_of(store: &MapStore, rows: usize) -> usize {
    rows * store.arity * size_of::<u32>()
}

/// The entries of a map as values of a dat, with all the room that there is for them.
fn row_by_row<'a>(buffer: &'a Buffer, store: &MapStore) -> Values<'a> {
    Values { buffer, scalars: buffer.bytes() / size_of::<u32>(), stride: 1, components: store.arity }
}
