//! Changes between loops by kernels: a value everywhere, sums of counts, the elements of a subset by flags, sets that lose elements or gain
//! some. Dats stay on the device, and so do entries of maps whose sets lose elements; a total comes to the host, and lists of elements, of
//! which plans are made there.

use super::{DeviceState, Newest};
use crate::data::layout::Geometry;
use crate::data::room;
use crate::data::value::Elem;
use crate::error::Error;
use crate::mesh::{DatStore, Mesh, Object, SubsetStore};
use crate::plan::key::Stored;
use op2_device::between::{self, COMPONENTS, Components, ROW, SHARED, STARTS, THREADS};
use op2_device::{Arg, Buffer, Device, Launch, Module, Result};
use rustc_hash::FxHashMap;
use std::ops::Range;

mod entries;
mod sizes;
#[cfg(test)]
mod tests;
mod values;

/// The most blocks of a launch: enough to fill any device, and so few that one block turns the sums of their parts into starts in no time
/// that counts.
const MOST_BLOCKS: usize = 2048;

/// The state of changes between loops on a device, besides the data.
pub(super) struct Between {
    kernels: Option<Kernels>,
    /// By the number of the subset.
    lists: FxHashMap<usize, List>,
    most_blocks: usize,
}

#[derive(Clone)]
struct Kernels {
    module: Module,
    values: Vec<u64>,
    /// The total, and the sums or starts of the parts behind it.
    sums: Buffer,
}

/// The elements of a subset on the device.
struct List {
    /// The version of the subset whose elements they are.
    version: u32,
    buffer: Buffer,
    /// Memory for the next list on the host, so that the old one stays until the new one is complete.
    spare: Vec<u32>,
}

/// Sums over the positions of a list, and what follows from them.
struct Summed<'a> {
    positions: usize,
    inputs: &'a [Arg<'a>],
    /// The kernel that sums up each part.
    sum: &'static str,
    /// The kernel that goes through the parts again, and where it writes.
    then: &'static str,
    to: &'a Buffer,
}

impl Default for Between {
    fn default() -> Self {
        Between { kernels: None, lists: FxHashMap::default(), most_blocks: MOST_BLOCKS }
    }
}

impl Kernels {
    /// Launches one of them in so many blocks.
    fn launch(&self, device: &dyn Device, kernel: &str, blocks: usize, args: &[Arg<'_>]) -> Result<()> {
        let (grid, block) = (blocks as u32, THREADS);
        device.launch(&Launch { module: &self.module, kernel, grid, block, shared: SHARED, args, values: &self.values })
    }
}

impl Between {
    /// Frees what depends on the old numbers.
    pub(super) fn renumbered(&mut self) {
        self.lists.clear();
    }

    /// Blocks whose threads stride over so many scalars.
    fn blocks(&self, scalars: usize) -> usize {
        scalars.div_ceil(THREADS as usize).min(self.most_blocks)
    }

    /// How many parts so many positions have, and how many positions each has.
    fn parts(&self, positions: usize) -> (usize, usize) {
        let len = positions.div_ceil(ROW).div_ceil(self.most_blocks).max(1) * ROW;
        (positions.div_ceil(len), len)
    }
}

impl DeviceState {
    /// Whether the device has the newest values of a dat.
    pub(crate) fn has_newest(&self, mesh: &Mesh, dat: usize) -> bool {
        self.has_version(dat, mesh.version(Object::Dat(dat)))
    }

    /// The same, of a dat that has this version.
    fn has_version(&self, dat: usize, version: u32) -> bool {
        self.dats.get(dat).is_some_and(|mirror| mirror.newest != Newest::Host && mirror.version == version)
    }

    /// Gives all elements the same value of a dat: that with these bytes. Room behind the elements becomes zero.
    ///
    /// # Errors
    /// Those of the device.
    pub(crate) fn fill(&mut self, mesh: &mut Mesh, dat: usize, value: &[u8]) -> Result<()> {
        let buffer = self.ready(mesh, dat, false)?;
        let store = &mut mesh.dats[dat];
        store.change();
        let set = &mesh.sets[store.set];
        let filled = self.fill_elements(store, &buffer, store.geometry(set), 0..set.size, value);
        self.modified(dat, filled.is_ok());
        filled
    }

    /// The same for the elements of a range, behind which there is only room, in memory for a dat with this geometry.
    fn fill_elements(
        &mut self,
        store: &DatStore,
        buffer: &Buffer,
        geometry: Geometry,
        elements: Range<usize>,
        value: &[u8],
    ) -> Result<()> {
        let scalars = buffer.bytes() / store.elem.bytes();
        let places = between::places(scalars, geometry.stride(), store.components());
        self.fill_places(buffer, &places, elements, value, store.elem.bytes())
    }

    /// The same for scalars of so many bytes at these places.
    fn fill_places(
        &mut self,
        buffer: &Buffer,
        places: &[u8],
        elements: Range<usize>,
        value: &[u8],
        bytes: usize,
    ) -> Result<()> {
        let scalars = buffer.bytes() / bytes;
        if scalars == 0 {
            return Ok(());
        }
        let [first, size] = [elements.start, elements.end].map(|e| (e as u64).to_ne_bytes());
        let kernels = self.between_kernels()?;
        let launch = |(n, value): (usize, &[u8])| {
            let components = Components::new(n * COMPONENTS, value, bytes);
            let sizes = [places, &first, &size, components.bytes()].map(Arg::Bytes);
            let args = [&[Arg::Buffer(Some(buffer))], &sizes[..]].concat();
            kernels.launch(&*self.device, between::kernels(bytes).fill, self.between.blocks(scalars), &args)
        };
        value.chunks(COMPONENTS * bytes).enumerate().try_for_each(launch)
    }

    /// Gives each element the sum of the counts of all elements before it, by the user's numbers, and returns the sum of all. Both dats
    /// may be one.
    ///
    /// # Errors
    /// As [`Mesh::scan`], and those of the device.
    pub(crate) fn scan(&mut self, mesh: &mut Mesh, counts: usize, into: usize) -> crate::Result<u32> {
        let set = mesh.dats[counts].set;
        mesh.on_set(&mesh.dats[into], set)?;
        // Scalars lie in the order of elements in every layout.
        let (from, to) = (self.ready(mesh, counts, true)?, self.ready(mesh, into, false)?);
        let store = &mesh.sets[set];
        let elements = self.numbers(Stored { number: set, version: mesh.version(Object::Set(set)), store }, true)?;
        let total = self.summed(&Summed {
            positions: store.size,
            inputs: &[Arg::Buffer(Some(&from)), Arg::Buffer(elements.as_ref())],
            sum: between::SUM_COUNTS,
            then: between::SCAN_COUNTS,
            to: &to,
        });
        let total = total.inspect_err(|_| self.modified(into, false))?;
        let failed = |_| Error::Total { dat: mesh.dats[counts].name.clone(), total: u128::from(total) };
        // The kernel writes nothing then.
        let total = u32::try_from(total).map_err(failed)?;
        mesh.dats[into].change();
        self.modified(into, true);
        Ok(total)
    }

    /// Gives a subset the elements whose flags say yes, in ascending order of their numbers. Returns how many they are.
    ///
    /// # Errors
    /// As [`Mesh::select`], and those of the device.
    pub(crate) fn select(&mut self, mesh: &mut Mesh, subset: usize, flags: usize) -> crate::Result<usize> {
        let set = mesh.subsets[subset].set;
        mesh.on_set(&mesh.dats[flags], set)?;
        let size = mesh.sets[set].size;
        let what = || format!("subset `{}`", mesh.subsets[subset].name);
        let (old, mut spare) = match self.between.lists.remove(&subset) {
            Some(List { buffer, spare, .. }) => (Some(buffer), spare),
            None => (None, Vec::new()),
        };
        if spare.capacity() < size {
            spare = room::list(what, size)?;
        }
        let bytes = size * size_of::<u32>();
        let buffer = match old.filter(|buffer| buffer.bytes() >= bytes) {
            Some(buffer) => buffer,
            None => self.device.allocate(&what(), bytes, size_of::<u32>())?,
        };
        // Loops that were prepared for the old elements use this memory: from now on none of them is found again.
        mesh.subsets[subset].change();
        self.list(mesh, flags, &buffer, &mut spare)?;
        let total = spare.len();
        let spare = mesh.take_chosen(subset, spare);
        self.between.lists.insert(subset, List { version: mesh.version(Object::Subset(subset)), buffer, spare });
        Ok(total)
    }

    /// Lists the elements whose flags say yes, here and on the host.
    fn list(&mut self, mesh: &Mesh, flags: usize, to: &Buffer, list: &mut Vec<u32>) -> Result<()> {
        let from = self.ready(mesh, flags, true)?;
        let store = &mesh.dats[flags];
        let kernels = between::kernels(store.elem.bytes());
        let total = self.summed(&Summed {
            positions: mesh.sets[store.set].size,
            inputs: &[Arg::Buffer(Some(&from))],
            sum: kernels.sum_flags,
            then: kernels.list_flags,
            to,
        })?;
        list.resize(total as usize, 0);
        self.device.download(to, u32::bytes_mut(list))
    }

    /// The elements of a subset.
    pub(super) fn elements(&mut self, subset: Stored<'_, SubsetStore>) -> Result<Buffer> {
        let Stored { number, version, store } = subset;
        let known = self.between.lists.get_mut(&number);
        if let Some(List { buffer, .. }) = known.as_ref().filter(|list| list.version == version) {
            return Ok(buffer.clone());
        }
        let buffer = self.filled(&format!("subset `{}`", store.name), &store.list)?;
        let spare = self.between.lists.remove(&number).map_or_else(Vec::new, |list| list.spare);
        self.between.lists.insert(number, List { version, buffer: buffer.clone(), spare });
        Ok(buffer)
    }

    /// Sums up values, launches what follows from the sums, and returns the total.
    fn summed(&mut self, asked: &Summed<'_>) -> Result<u64> {
        let (parts, len) = self.between.parts(asked.positions);
        if parts == 0 {
            return Ok(0);
        }
        let kernels = self.between_kernels()?;
        let launch = |kernel: &str, grid: usize, args: &[Arg<'_>]| kernels.launch(&*self.device, kernel, grid, args);
        let [n, len] = [asked.positions as u64, len as u64].map(u64::to_ne_bytes);
        let sizes = [Arg::Bytes(&n), Arg::Bytes(&len)];
        let [of_parts, to] = [&kernels.sums, asked.to].map(|buffer| Arg::Buffer(Some(buffer)));
        launch(asked.sum, parts, &[asked.inputs, &[of_parts], &sizes].concat())?;
        launch(STARTS, 1, &[of_parts, Arg::Bytes(&(parts as u32).to_ne_bytes())])?;
        launch(asked.then, parts, &[asked.inputs, &[of_parts, to], &sizes].concat())?;
        let mut total = [0_u64];
        self.device.download(&kernels.sums, u64::bytes_mut(&mut total))?;
        Ok(total[0])
    }

    /// The kernels, compiled once.
    fn between_kernels(&mut self) -> Result<Kernels> {
        if let Some(known) = &self.between.kernels {
            return Ok(known.clone());
        }
        let source = between::source(self.target());
        let bytes = (1 + self.between.most_blocks) * size_of::<u64>();
        let sums = self.device.allocate("sums between loops", bytes, size_of::<u64>())?;
        let kernels = Kernels { module: self.load(&source)?, values: source.values(), sums };
        Ok(self.between.kernels.insert(kernels).clone())
    }
}
