//! Loops on a device: a GPU, or the emulator of one. This module holds the device's copies of a mesh, notes which side has the
//! newest values, and keeps results of reductions until somebody asks for them.
//!
//! Once per loop and plan:
//! - `planned` builds the plan. Unless a strategy names them, `ranking` finds resolution, form and size from what `work` counts, for which
//!   `phases` says what a block waits for, and `reach` what it reaches.
//! - `choice` picks the kernel.
//! - `schedule`, `cover` and `redirect` bring the plan into the form that the generated code reads.
//! - `prepare` compiles and lists the launches.
//!
//! Loops over pairs have no plan: `pairs` sends their grids and patches, and lists their launches.
//!
//! In every call `launch` binds data and launches. `between` has the kernels for changes between loops.

mod between;
mod choice;
mod cover;
pub(crate) mod curve;
#[cfg(feature = "json")]
pub(crate) mod dump;
mod entries;
mod frame;
mod in_blocks;
mod incoming;
pub(crate) mod launch;
pub(crate) mod pairs;
mod phases;
pub(crate) mod planned;
pub(crate) mod prepare;
pub(crate) mod ranking;
mod reach;
mod redirect;
mod results;
mod schedule;
mod slots;
mod targets;
pub(crate) mod task;
pub(crate) mod text;
mod timings;
mod work;

use crate::config::Backend;
use crate::data::room;
use crate::data::value::Elem;
use crate::mesh::{Mesh, Object, SetStore};
use crate::plan::key::{PlanKey, Stored, StoredMap};
use between::Between;
use op2_core::{Combine, Target};
use op2_device::{Buffer, DUMP, Device, Module, Result, Source, cuda, hip};
use pairs::Searches;
pub(crate) use prepare::Outcome;
use prepare::Prepared;
use results::Results;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::sync::Arc;
use timings::Timings;

/// Names the folder to which the forms of every loop are written when the loop is prepared.
pub(crate) const FORMS_DUMP: &str = "OP2_FORMS_DUMP";

/// A device, its copies of a mesh, and the loops prepared for it.
pub(crate) struct DeviceState {
    backend: Backend,
    device: Box<dyn Device>,
    /// By the number of the dat.
    dats: Vec<Mirror>,
    /// Maps entry by entry, with the version that they were copied from.
    maps: FxHashMap<usize, (u32, Buffer)>,
    /// The user's numbers of the elements of sets that are numbered otherwise inside, with the version of the set.
    /// `true` leads to the elements by those numbers.
    numbers: FxHashMap<(usize, bool), (u32, Buffer)>,
    results: Results,
    /// By the address of the loop's description.
    prepared: FxHashMap<(usize, PlanKey), Arc<Prepared>>,
    timings: Timings,
    searches: Searches,
    between: Between,
}

/// A dat on the device.
#[derive(Default)]
struct Mirror {
    buffer: Option<Buffer>,
    newest: Newest,
    /// Version of the dat that was sent last, or is about to be sent.
    version: u32,
}

/// Which side has the newest values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Newest {
    #[default]
    Host,
    Both,
    Device,
}

impl DeviceState {
    pub(crate) fn open(backend: Backend, emulation: op2_device::Options) -> Result<Self> {
        let kernel_checks = emulation.kernel_checks;
        let device: Box<dyn Device> = match backend {
            Backend::Cuda(ordinal) => cuda::gpu_with(ordinal, cuda::Options { kernel_checks, ..Default::default() })?,
            Backend::Hip(ordinal) => hip::gpu_with(ordinal, hip::Options { kernel_checks, ..Default::default() })?,
            Backend::CudaEmu => op2_device::emulator(emulation)?,
            Backend::Seq | Backend::Threads(_) => unreachable!("only devices are opened"),
        };
        let (maps, numbers, results, prepared) = Default::default();
        let (dats, timings, searches, between) = Default::default();
        Ok(DeviceState { backend, device, dats, maps, numbers, results, prepared, timings, searches, between })
    }

    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    /// The language of the texts that it compiles.
    pub(crate) fn target(&self) -> Target {
        self.device.info().target
    }

    /// Threads of a wave.
    pub(crate) fn wave(&self) -> u32 {
        self.device.info().wave
    }

    /// Its name, for reports.
    pub(crate) fn name(&self) -> &str {
        &self.device.info().name
    }

    /// Bytes of shared memory that one block may have at most.
    #[cfg(feature = "json")]
    pub(crate) fn shared_per_block(&self) -> u32 {
        self.device.info().shared_per_block
    }

    /// Bandwidth of its memory in GB/s; 0 for the emulator, and if it cannot be measured.
    pub(crate) fn bandwidth(&self) -> f64 {
        if self.device.info().emulated {
            return 0.0;
        }
        // Reports only compare with it. A device that cannot copy reports its error elsewhere.
        op2_device::copy_gb_per_s(&*self.device).unwrap_or(0.0)
    }

    /// The first `until` scalars of a dat, if the host's are older.
    pub(crate) fn newer<E: Elem>(&self, mesh: &Mesh, dat: usize, until: usize) -> crate::Result<Option<Vec<E>>> {
        let Some(Mirror { buffer: Some(buffer), newest: Newest::Device, .. }) = self.dats.get(dat) else {
            return Ok(None);
        };
        let what = || format!("the values of dat `{}` from the device", mesh.dats[dat].name);
        let mut scalars = room::filled(what, E::default(), until)?;
        self.device.download(buffer, E::bytes_mut(&mut scalars))?;
        Ok(Some(scalars))
    }

    /// Notes that the host has new values for a dat, perhaps of another size.
    pub(crate) fn outdated(&mut self, dat: usize, bytes: usize) {
        if let Some(mirror) = self.dats.get_mut(dat) {
            mirror.newest = Newest::Host;
            mirror.buffer.take_if(|b| b.bytes() != bytes);
        }
    }

    /// Copies all values that are newer here to the host. The host may then change them: every dat is sent again before a
    /// loop needs it.
    ///
    /// # Errors
    /// Those of the device; no value is lost.
    pub(crate) fn bring_back(&mut self, mesh: &mut Mesh) -> Result<()> {
        (0..self.dats.len()).try_for_each(|dat| self.settle_dat(mesh, dat))?;
        self.dats.iter_mut().for_each(|mirror| mirror.newest = Newest::Host);
        Ok(())
    }

    /// Copies the values of a dat to the host, if they are newer here. Both sides have them then.
    ///
    /// # Errors
    /// Those of the device; no value is lost.
    pub(crate) fn settle_dat(&mut self, mesh: &mut Mesh, dat: usize) -> Result<()> {
        if let Some(mirror) = self.dats.get_mut(dat)
            && let Mirror { buffer: Some(buffer), newest: Newest::Device, .. } = mirror
        {
            self.device.download(buffer, mesh.dats[dat].memory_mut())?;
            mirror.newest = Newest::Both;
        }
        Ok(())
    }

    /// Whether the host has older values of a dat.
    pub(crate) fn has_alone(&self, dat: usize) -> bool {
        self.dats.get(dat).is_some_and(|mirror| mirror.newest == Newest::Device)
    }

    /// Two dats have changed places on the host: so do their copies.
    pub(crate) fn swap(&mut self, mesh: &Mesh, a: usize, b: usize) {
        let least = a.max(b) + 1;
        if self.dats.len() < least {
            self.dats.resize_with(least, Mirror::default);
        }
        self.dats.swap(a, b);
        for dat in [a, b] {
            let (mirror, bytes) = (&mut self.dats[dat], mesh.dats[dat].memory().len());
            mirror.buffer.take_if(|buffer| buffer.bytes() < bytes);
            mirror.version = mesh.version(Object::Dat(dat));
        }
    }

    /// Frees what depends on the old numbers after a renumbering. Results would be right without this call, because versions show
    /// which copies are old. Dats have new numbers already, or [`DeviceState::bring_back`] has copied them before; results of reductions
    /// depend on no numbers.
    pub(crate) fn renumbered(&mut self, mesh: &Mesh) {
        self.prepared.clear();
        self.maps.retain(|map, known| known.0 == mesh.version(Object::Map(*map)));
        self.numbers.retain(|(set, _), known| known.0 == mesh.version(Object::Set(*set)));
        self.searches.renumbered();
        self.between.renumbered();
    }

    /// Lets `value`, the value of a global, absorb the result on the device.
    pub(crate) fn absorb_into(&self, global: usize, value: &mut dyn Any) -> Result<()> {
        self.results.absorb_into(&*self.device, global, value)
    }

    /// Drops the result of a global on the device.
    pub(crate) fn forget(&mut self, global: usize) {
        self.results.forget(global);
    }

    /// Brings the value of a global up to date on the host.
    pub(crate) fn settle(&mut self, mesh: &mut Mesh, global: usize) -> Result<()> {
        self.absorb_into(global, mesh.globals[global].any_mut())?;
        self.forget(global);
        Ok(())
    }

    /// Brings the value of a global up to date unless the result on the device was reduced in the same way.
    pub(crate) fn settle_other(&mut self, mesh: &mut Mesh, global: usize, how: Combine) -> Result<()> {
        if self.results.has_other(global, how) { self.settle(mesh, global) } else { Ok(()) }
    }

    /// Compiles a text; where the environment asks for it, writes it to a folder for people and tools to look at.
    fn load(&self, source: &Source) -> Result<Module> {
        if let Some(folder) = std::env::var_os(DUMP) {
            source.dump(folder.as_ref())?;
        }
        self.device.load(source)
    }

    /// The seconds of timed executions that nobody has asked for yet, each with the number of its statistics; waits for them.
    pub(crate) fn seconds(&self) -> impl Iterator<Item = Result<(usize, f64)>> {
        self.timings.seconds(&*self.device)
    }

    /// Hands over the seconds of those that are over, if there are many.
    pub(crate) fn take_seconds(&mut self, to: impl FnMut(usize, f64)) -> Result<()> {
        if self.timings.are_many() { self.timings.take_over(&*self.device, to) } else { Ok(()) }
    }

    /// The launches that were prepared for a loop and key.
    pub(crate) fn prepared(&self, id: &(usize, PlanKey)) -> Option<Arc<Prepared>> {
        self.prepared.get(id).cloned()
    }

    /// Keeps launches, and drops those that the key makes obsolete.
    pub(crate) fn keep(&mut self, id: (usize, PlanKey), new: Prepared) -> Arc<Prepared> {
        let new = Arc::new(new);
        self.prepared.retain(|(_, old), _| !id.1.outdates(old));
        self.prepared.insert(id, new.clone());
        new
    }

    /// Forgets the times of executions, and the pairs of all. If the device fails, a later call returns the error.
    pub(crate) fn forget_executions(&mut self) {
        self.timings.restart();
        let _ = self.forget_found();
    }

    /// The buffer of a dat; with the newest values if the loop needs old values.
    fn ready(&mut self, mesh: &Mesh, dat: usize, needs_values: bool) -> Result<Buffer> {
        if self.dats.len() <= dat {
            self.dats.resize_with(dat + 1, Mirror::default);
        }
        let store = &mesh.dats[dat];
        let mirror = &mut self.dats[dat];
        let version = mesh.version(Object::Dat(dat));
        if mirror.version != version {
            // The host has changed layout or numbering, and has called `bring_back` before.
            debug_assert_ne!(mirror.newest, Newest::Device);
            mirror.newest = Newest::Host;
            mirror.buffer.take_if(|buffer| buffer.bytes() != store.memory().len());
            mirror.version = version;
        }
        let buffer = match &mirror.buffer {
            Some(buffer) => buffer.clone(),
            None => {
                let bytes = store.memory().len();
                let what = format!("dat `{}`", store.name);
                mirror.buffer.insert(self.device.allocate(&what, bytes, store.elem.bytes())?).clone()
            }
        };
        if mirror.newest == Newest::Host && needs_values {
            self.device.upload(&buffer, store.memory())?;
            mirror.newest = Newest::Both;
        }
        Ok(buffer)
    }

    /// A map, entry by entry. If the device has the newest entries, the host may have older ones.
    fn map(&mut self, map: StoredMap<'_>) -> crate::Result<Buffer> {
        let StoredMap { number, version, store, entries, .. } = map;
        if let Some((_, buffer)) = self.maps.get(&number).filter(|known| known.0 == version) {
            return Ok(buffer.clone());
        }
        if let Some(buffer) = self.entry_by_entry(&map)? {
            self.maps.insert(number, (version, buffer.clone()));
            return Ok(buffer);
        }
        if let Some(offsets) = &store.offsets {
            let what = || format!("map `{}` behind the starts of its rows", store.name);
            let (starts, len) = (offsets.len(), offsets.len() + entries.len());
            let words = room::all(what, len, |n| if n < starts { offsets[n] } else { entries[n - starts] })?;
            let buffer = self.filled(&format!("map `{}`", store.name), &words)?;
            self.maps.insert(number, (version, buffer.clone()));
            return Ok(buffer);
        }
        // A map of arity 0 has no entries, and no rows.
        let rows = entries.len() / store.arity.max(1);
        let what = || format!("map `{}` entry by entry", store.name);
        let entry = |n| entries[n % rows * store.arity + n / rows];
        let columns = room::all(what, entries.len(), entry)?;
        let buffer = self.filled(&format!("map `{}`", store.name), &columns)?;
        self.maps.insert(number, (version, buffer.clone()));
        Ok(buffer)
    }

    /// The user's numbers of a set's elements, or, `by_number`, the elements in the order of those numbers; none where both are the
    /// same.
    fn numbers(
        &mut self,
        Stored { number, version, store }: Stored<'_, SetStore>,
        by_number: bool,
    ) -> Result<Option<Buffer>> {
        let Some(numbering) = &store.numbering else { return Ok(None) };
        if let Some((_, buffer)) = self.numbers.get(&(number, by_number)).filter(|known| known.0 == version) {
            return Ok(Some(buffer.clone()));
        }
        let content = if by_number { numbering.inner_numbers() } else { numbering.user() };
        let buffer = self.filled(&format!("the numbers of set `{}`", store.name), content)?;
        self.numbers.insert((number, by_number), (version, buffer.clone()));
        Ok(Some(buffer))
    }

    /// Memory with this content.
    fn filled<E: Elem>(&self, what: &str, content: &[E]) -> Result<Buffer> {
        self.filled_bytes(what, E::bytes(content), size_of::<E>())
    }

    fn filled_bytes(&self, what: &str, content: &[u8], granule: usize) -> Result<Buffer> {
        let buffer = self.device.allocate(what, content.len(), granule)?;
        self.device.upload(&buffer, content)?;
        Ok(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::Layout;
    use crate::data::numbering::Numbering;

    /// The emulator, if there is a C++ compiler.
    fn emulator() -> Option<DeviceState> {
        let open = || DeviceState::open(Backend::CudaEmu, op2_device::Options::default());
        op2_test_support::has_cxx().then(|| open().unwrap_or_else(|e| panic!("{e}")))
    }

    fn content(state: &DeviceState, buffer: &Buffer) -> Vec<u32> {
        let mut bytes = vec![0; buffer.bytes()];
        state.device.download(buffer, &mut bytes).unwrap();
        u32::from_bytes(&bytes)
    }

    /// Only values that are newer on the device are copied to the host, and the next loop finds what the host has changed since
    /// then.
    #[test]
    fn values_come_back_and_go_out_again() {
        let Some(mut state) = emulator() else { return };
        let mut mesh = Mesh::new();
        let set = mesh.add_set("set", 3, None).unwrap();
        let dats =
            ["changed", "read", "never"].map(|name| mesh.add_dat(name, set, Layout::Soa, &[1u32, 2, 3], None).unwrap());
        for dat in [0, 1] {
            state.ready(&mesh, dats[dat], true).unwrap();
        }
        let buffer = state.dats[dats[0]].buffer.clone().unwrap();
        state.device.upload(&buffer, u32::bytes(&[7, 8, 9])).unwrap();
        state.dats[dats[0]].newest = Newest::Device;

        state.bring_back(&mut mesh).unwrap();
        assert_eq!(mesh.rows::<u32>(dats[0]).unwrap(), [7, 8, 9]);
        assert_eq!(mesh.rows::<u32>(dats[1]).unwrap(), [1, 2, 3]);
        assert_eq!(state.newer::<u32>(&mesh, dats[0], 3).unwrap(), None);

        mesh.renumber(&[Some(vec![2, 0, 1])], None).unwrap();
        state.renumbered(&mesh);
        let sent = dats.map(|dat| state.ready(&mesh, dat, true).unwrap());
        assert_eq!(sent.each_ref().map(|b| content(&state, b)[..3].to_vec()), [[8, 9, 7], [2, 3, 1], [2, 3, 1]]);
        assert_eq!(mesh.rows::<u32>(dats[0]).unwrap(), [7, 8, 9], "the user sees nothing of it");
    }

    fn stored_set(mesh: &Mesh, number: usize) -> Stored<'_, SetStore> {
        Stored { number, version: mesh.version(Object::Set(number)), store: &mesh.sets[number] }
    }

    /// Versions alone make sure that maps and numbers on the device follow the current numbering.
    #[test]
    fn maps_and_numbers_follow_the_numbering() {
        let Some(mut state) = emulator() else { return };
        let mut mesh = Mesh::new();
        let (from, to) = (mesh.add_set("from", 2, None).unwrap(), mesh.add_set("to", 3, None).unwrap());
        let map = mesh.add_map("map", from, to, &[[0u32, 1], [1, 2]], None).unwrap();
        assert!(state.numbers(stored_set(&mesh, to), false).unwrap().is_none());
        state.map(StoredMap::of(&mesh, map)).unwrap();
        for (new, user, columns) in [([2, 0, 1], [1, 2, 0], [2, 0, 0, 1]), ([1, 0, 2], [2, 1, 0], [2, 1, 1, 0])] {
            mesh.renumber(&[None, Some(new.to_vec())], None).unwrap();
            let numbers = state.numbers(stored_set(&mesh, to), false).unwrap().expect("inner numbers are others");
            assert_eq!(content(&state, &numbers), user);
            let elements = state.numbers(stored_set(&mesh, to), true).unwrap().expect("inner numbers are others");
            let elements = content(&state, &elements);
            assert!((0..3).all(|n| user[elements[n] as usize] == n as u32), "one is the inverse of the other");
            assert!(state.numbers(stored_set(&mesh, from), false).unwrap().is_none());
            let map = state.map(StoredMap::of(&mesh, map)).unwrap();
            assert_eq!(content(&state, &map), columns);
        }
        assert_eq!(mesh.sets[to].numbering, Some(Numbering::new(vec![2, 1, 0], String::new).unwrap()));
    }
}
