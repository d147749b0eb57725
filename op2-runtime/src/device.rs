//! Loops on a device: a GPU, or the emulator of one. What the data of a mesh look like there, which side holds
//! the newest values, and the results that nobody asked for yet.
//!
//! The way of a call: `choice` picks the variant, `schedule` and `cover` bring the plan into the form that the
//! generated code reads, `prepare` compiles and lists the launches, once per loop and plan; `run` binds data and
//! launches, every time.

mod bandwidth;
mod choice;
mod cover;
mod prepare;
mod run;
mod schedule;
mod task;

use crate::access::Access;
use crate::cache::PlanKey;
use crate::mesh::Mesh;
use crate::op::Backend;
use crate::report::LoopStats;
use crate::value::Elem;
use op2_cuda::{Buffer, Device, Emulator, Mark, Module, Result, Source};
pub(crate) use prepare::Outcome;
use prepare::Prepared;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::sync::Arc;

/// Names the folder to which every text is written before it is compiled.
const DUMP: &str = "OP2_CUDA_DUMP";

/// A device with its copies of a mesh.
pub(crate) struct Machine {
    backend: Backend,
    device: Box<dyn Device>,
    /// By the number of the dat.
    dats: Vec<Mirror>,
    /// Maps entry by entry, with the version that they were copied from.
    maps: FxHashMap<usize, (u32, Buffer)>,
    /// Results of reductions, by the number of the global.
    results: FxHashMap<usize, Outcomes>,
    /// By the address of the loop's description.
    prepared: FxHashMap<(usize, PlanKey), Arc<Prepared>>,
    /// Executions whose time was not asked for yet.
    timings: Vec<Timing>,
}

/// One execution of a loop: the number of its statistics, and the marks around it.
struct Timing {
    stats: usize,
    from: Mark,
    to: Mark,
}

/// Executions after which their times are asked for: each keeps two marks of the device.
const MOST_TIMINGS: usize = 1024;

/// A dat on the device.
#[derive(Default)]
struct Mirror {
    buffer: Option<Buffer>,
    newest: Newest,
}

/// Which side has the newest values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Newest {
    #[default]
    Host,
    Both,
    Device,
}

/// What reductions into one global leave on the device.
struct Outcomes {
    /// Kept when its content is not needed any more: giving memory back waits for the device.
    buffer: Buffer,
    /// By which access it was reduced, and how it is added to the global; none if there is nothing to add.
    pending: Option<(Access, Absorb)>,
}

/// Adds a result in slots to the value of a global.
pub(crate) type Absorb = fn(&mut dyn Any, &[u64]);

impl Machine {
    pub(crate) fn open(backend: Backend, emulation: op2_cuda::Options) -> Result<Self> {
        let device: Box<dyn Device> = match backend {
            Backend::Cuda(ordinal) => op2_cuda::gpu(ordinal)?,
            _ => Box::new(Emulator::new(emulation)?),
        };
        let (maps, results, prepared) = Default::default();
        Ok(Machine { backend, device, dats: Vec::new(), maps, results, prepared, timings: Vec::new() })
    }

    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    /// Its name, for reports.
    pub(crate) fn name(&self) -> &str {
        &self.device.info().name
    }

    /// Bandwidth of its memory, GB/s; 0 if there is none to speak of.
    pub(crate) fn bandwidth(&self) -> f64 {
        if self.device.info().emulated {
            return 0.0;
        }
        // It is for comparison only: a device that cannot even copy has told so elsewhere.
        bandwidth::copy_gb_per_s(&*self.device).unwrap_or(0.0)
    }

    /// The scalars of a dat, if the host's are older.
    pub(crate) fn newer<E: Elem>(&self, dat: usize) -> Result<Option<Vec<E>>> {
        let Some(Mirror { buffer: Some(buffer), newest: Newest::Device }) = self.dats.get(dat) else { return Ok(None) };
        let mut bytes = vec![0; buffer.bytes()];
        self.device.download(buffer, &mut bytes)?;
        Ok(Some(E::from_bytes(&bytes)))
    }

    /// The host has new values for a dat, perhaps of another size.
    pub(crate) fn outdated(&mut self, dat: usize, bytes: usize) {
        if let Some(mirror) = self.dats.get_mut(dat) {
            mirror.newest = Newest::Host;
            mirror.buffer.take_if(|b| b.bytes() != bytes);
        }
    }

    pub(crate) fn bring_back(&mut self, mesh: &mut Mesh) -> Result<()> {
        for (mirror, store) in self.dats.iter_mut().zip(&mut mesh.dats) {
            if let Mirror { buffer: Some(buffer), newest: Newest::Device } = mirror {
                self.device.download(buffer, store.memory_mut())?;
                mirror.newest = Newest::Both;
            }
        }
        self.dats.iter_mut().for_each(|mirror| mirror.newest = Newest::Host);
        Ok(())
    }

    pub(crate) fn renumbered(&mut self) {
        self.prepared.clear();
        self.maps.clear();
    }

    /// Adds what reductions left on the device to `value`, the value of a global.
    pub(crate) fn absorb_into(&self, global: usize, value: &mut dyn Any) -> Result<()> {
        let Some(Outcomes { buffer, pending: Some((_, absorb)) }) = self.results.get(&global) else { return Ok(()) };
        let mut bytes = vec![0; buffer.bytes()];
        self.device.download(buffer, &mut bytes)?;
        absorb(value, &u64::from_bytes(&bytes));
        Ok(())
    }

    /// Forgets what reductions left on the device.
    pub(crate) fn forget(&mut self, global: usize) {
        if let Some(outcomes) = self.results.get_mut(&global) {
            outcomes.pending = None;
        }
    }

    /// Brings the value of a global up to date on the host.
    pub(crate) fn settle(&mut self, mesh: &mut Mesh, global: usize) -> Result<()> {
        self.absorb_into(global, mesh.globals[global].any_mut())?;
        self.forget(global);
        Ok(())
    }

    /// Brings the value of a global up to date unless what is on the device was reduced in the same way.
    pub(crate) fn settle_other(&mut self, mesh: &mut Mesh, global: usize, access: Access) -> Result<()> {
        match self.results.get(&global) {
            Some(Outcomes { pending: Some((other, _)), .. }) if *other != access => self.settle(mesh, global),
            _ => Ok(()),
        }
    }

    /// Compiles a text; where the environment asks for it, writes it to a folder for people and tools to look at.
    fn load(&self, source: &Source) -> Result<Module> {
        if let Some(folder) = std::env::var_os(DUMP) {
            source.dump(folder.as_ref())?;
        }
        self.device.load(source)
    }

    /// Adds the seconds of executions that were not asked for yet; devices run them behind the host's back.
    pub(crate) fn add_seconds(&self, stats: &mut [LoopStats]) -> Result<()> {
        for Timing { stats: n, from, to } in &self.timings {
            stats[*n].add_seconds(self.device.seconds(from, to)?);
        }
        Ok(())
    }

    /// Forgets executions whose time was not asked for.
    pub(crate) fn forget_timings(&mut self) {
        self.timings.clear();
    }

    /// The buffer of a dat; with the newest values if the loop needs what was there before.
    fn ready(&mut self, mesh: &Mesh, dat: usize, needs_values: bool) -> Result<Buffer> {
        if self.dats.len() <= dat {
            self.dats.resize_with(dat + 1, Mirror::default);
        }
        let store = &mesh.dats[dat];
        let mirror = &mut self.dats[dat];
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

    /// A map, entry by entry.
    fn map(&mut self, mesh: &Mesh, map: usize) -> Result<Buffer> {
        let store = &mesh.maps[map];
        if let Some((version, buffer)) = self.maps.get(&map)
            && *version == store.version
        {
            return Ok(buffer.clone());
        }
        // A map of arity 0 has no entries, and no rows.
        let rows = store.entries.chunks_exact(store.arity.max(1));
        let columns: Vec<u32> = (0..store.arity).flat_map(|i| rows.clone().map(move |row| row[i])).collect();
        let buffer = self.filled(&format!("map `{}`", store.name), &columns)?;
        self.maps.insert(map, (store.version, buffer.clone()));
        Ok(buffer)
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
