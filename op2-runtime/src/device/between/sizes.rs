//! Sets that lose or gain elements. Values that the device has move there.

use super::super::DeviceState;
use super::entries::Renumbered;
use super::values::Values;
use crate::data::room;
use crate::mesh::between::Flag;
use crate::mesh::grow::Growth;
use crate::mesh::{Mesh, Object};
use op2_device::{Buffer, Result};

impl DeviceState {
    /// Takes the elements whose flags say no out of a set. Values and entries that are here move here, and the host moves all others.
    /// Returns how many elements stay.
    ///
    /// # Errors
    /// As [`Mesh::compact`], and those of the device.
    pub(crate) fn compact<V: Flag>(&mut self, mesh: &mut Mesh, set: usize, keep: usize) -> crate::Result<usize> {
        mesh.on_set(&mesh.dats[keep], set)?;
        let (old, list) = self.stay::<V>(mesh, set, keep)?;
        let Some(stay) = mesh.staying(set, old)? else { return Ok(mesh.sets[set].size) };
        let left = stay.old.len();
        let values: Vec<usize> = mesh.values_on(set).filter(|&dat| self.has_newest(mesh, dat)).collect();
        let (maps, others): (Vec<usize>, Vec<usize>) = mesh.maps_at(set).partition(|&map| self.has_entries(mesh, map));
        let data = |maps: &[usize]| maps.iter().map(|map| mesh.maps[*map].data).collect::<Vec<_>>();
        let (there, here) = (data(&maps), data(&others));
        let list = match list {
            None if values.is_empty() && maps.is_empty() => None,
            None => Some(self.filled(&format!("the rest of set `{}`", mesh.sets[set].name), &stay.old)?),
            known => known,
        };
        here.iter().try_for_each(|&data| self.settle_dat(mesh, data))?;
        let Renumbered { entries, lacks } = match &list {
            Some(list) => self.renumber_entries(mesh, &maps, list, (set, left))?,
            None => Renumbered::default(),
        };
        if lacks {
            // The host finds the first element, which the error names.
            there.iter().try_for_each(|&data| self.settle_dat(mesh, data))?;
        }
        mesh.check_needed(&stay, |data| lacks || !there.contains(&data))?;
        let rest = mesh.rest(stay, |dat| !(values.contains(&dat) || there.contains(&dat)), None)?;
        if let Some(list) = list {
            self.gather(mesh, &values, &list, left)?;
        }
        mesh.shrink(rest);
        there.into_iter().zip(entries).for_each(|(data, entries)| self.take_entries(mesh, data, entries));
        for dat in values {
            self.dats[dat].version = mesh.version(Object::Dat(dat));
            self.modified(dat, true);
        }
        here.into_iter().for_each(|data| self.outdated(data, mesh.dats[data].memory().len()));
        Ok(left)
    }

    /// The elements of a set whose flags say yes, and their list here, if it was made here.
    fn stay<V: Flag>(&mut self, mesh: &Mesh, set: usize, keep: usize) -> crate::Result<(Vec<u32>, Option<Buffer>)> {
        if !self.has_newest(mesh, keep) {
            return Ok((mesh.stay::<V>(set, keep)?, None));
        }
        let size = mesh.sets[set].size;
        let what = || format!("the rest of set `{}`", mesh.sets[set].name);
        let mut old = room::list(what, size)?;
        let list = self.device.allocate(&what(), size * size_of::<u32>(), size_of::<u32>())?;
        self.list(mesh, keep, &list, &mut old)?;
        Ok((old, Some(list)))
    }

    /// Gives the first `left` elements of dats of one set the values of those in the list.
    fn gather(&mut self, mesh: &Mesh, dats: &[usize], list: &Buffer, left: usize) -> Result<()> {
        let most = dats.iter().map(|dat| mesh.dats[*dat].memory().len()).max().unwrap_or(0);
        if most == 0 {
            return Ok(());
        }
        // Memory first: where it lacks, nothing has changed.
        let aside = self.device.allocate("values aside", most.next_multiple_of(size_of::<u64>()), 1)?;
        for &dat in dats {
            let store = &mesh.dats[dat];
            let (stride, scalars) =
                (store.geometry(&mesh.sets[store.set]).stride(), store.memory().len() / store.elem.bytes());
            let buffer = self.ready(mesh, dat, true)?;
            let [there, aside] =
                [&buffer, &aside].map(|buffer| Values { buffer, scalars, stride, components: store.components() });
            self.move_elements(store.elem.bytes(), [there, aside], Some(list), left)?;
            self.move_elements(store.elem.bytes(), [aside, there], None, left)?;
        }
        Ok(())
    }

    /// Adds elements to a set as [`Mesh::grow`] does. Values and entries that are here get room here, and the host moves all others, and
    /// numbers the new elements. Returns how many they are.
    ///
    /// # Errors
    /// As [`Mesh::grow`], and those of the device.
    pub(crate) fn grow(&mut self, mesh: &mut Mesh, map: usize, counts: usize) -> crate::Result<usize> {
        let to = mesh.maps[map].to;
        let at = (0..mesh.maps.len()).filter(|&n| n == map || mesh.maps[n].from == to);
        let (maps, others): (Vec<usize>, Vec<usize>) = at.partition(|&map| self.has_entries(mesh, map));
        let others: Vec<usize> = others.iter().map(|map| mesh.maps[*map].data).collect();
        others.iter().chain([&counts]).try_for_each(|&dat| self.settle_dat(mesh, dat))?;
        let (there, here): (Vec<usize>, Vec<usize>) = mesh.values_on(to).partition(|&dat| self.has_newest(mesh, dat));
        let growth = mesh.growth(map, counts, |dat| here.contains(&dat), None)?;
        let (there, maps) = if growth.children.is_empty() { Default::default() } else { (there, maps) };
        let grown = there.iter().map(|&dat| Ok((dat, self.grown(mesh, dat, &growth)?))).collect::<Result<Vec<_>>>()?;
        let entries = |&map: &usize| Ok((mesh.maps[map].data, self.grown_entries(mesh, map, growth.children.clone())?));
        let entries = maps.iter().map(entries).collect::<Result<Vec<_>>>()?;
        let added = mesh.take_growth(growth);
        for (dat, buffer) in grown {
            self.dats[dat].buffer = Some(buffer);
            self.dats[dat].version = mesh.version(Object::Dat(dat));
            self.modified(dat, true);
        }
        entries.into_iter().for_each(|(data, buffer)| self.take_entries(mesh, data, buffer));
        here.iter().chain(&others).for_each(|&dat| self.outdated(dat, mesh.dats[dat].memory().len()));
        Ok(added)
    }

    /// The values of a dat on a set that grows, in memory with room for the new elements.
    fn grown(&mut self, mesh: &Mesh, dat: usize, growth: &Growth) -> Result<Buffer> {
        let store = &mesh.dats[dat];
        let (set, bytes) = (&mesh.sets[store.set], store.elem.bytes());
        let old = self.ready(mesh, dat, true)?;
        let (mut geometry, scalars) = (store.geometry(set), store.memory().len() / store.elem.bytes());
        let mut values = Values { buffer: &old, scalars, stride: geometry.stride(), components: store.components() };
        let new;
        if let Some(capacity) = growth.capacity() {
            geometry = store.layout().geometry(capacity, store.components(), bytes);
            // The host has as much already.
            let scalars = store.scalars_of(capacity) as usize;
            new = self.device.allocate(&format!("dat `{}`", store.name), scalars * bytes, bytes)?;
            let more = Values { buffer: &new, scalars, stride: geometry.stride(), ..values };
            self.move_elements(store.elem.bytes(), [values, more], None, set.size)?;
            values = more;
        }
        let buffer = values.buffer;
        self.fill_elements(store, buffer, geometry, growth.children.clone(), store.fresh_bytes())?;
        Ok(buffer.clone())
    }
}
